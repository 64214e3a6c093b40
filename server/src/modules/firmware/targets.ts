import { versionKey } from '@farlink/contract/firmware/version.ts';
import { authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { sql } from 'kysely';
import { admitsDevice } from '../../domain/firmware/visibility.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Devices in scope, each with the firmware of that version that fits it and is shown to it. */
export const targetsOf = (db: Db, { me }: Pick<Ctx, 'me'>, ids: readonly number[], version: string) =>
  db
    .selectFrom('device')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('firmware')
          .innerJoin('firmware_model', 'firmware_model.firmware_id', 'firmware.id')
          .innerJoin('device as meant', 'meant.model', 'firmware_model.model')
          .select(['meant.id as device_id', 'firmware.id', 'firmware.size'])
          .where('firmware_model.version_key', '=', versionKey(version) ?? -1)
          .where('meant.id', 'in', [...ids, -1])
          .where(admitsDevice('meant'))
          .as('fit'),
      (join) => join.onRef('fit.device_id', '=', 'device.id'),
    )
    .select([
      'device.id',
      'device.name',
      'device.sn',
      'device.agent_id',
      'device.version',
      'device.version_past',
      'device.online_state',
      'device.network',
      'device.auth_status',
      'device.auth_expire_at',
      'fit.id as firmware_id',
      'fit.size',
      sql<boolean>`exists (select from upgrade_device u where u.device_id = device.id and u.state in ('queued', 'sending', 'verifying'))`.as(
        'busy',
      ),
    ])
    .where('device.id', 'in', [...ids, -1])
    .where(inScope(me, 'device.agent_id', 'device.id'))
    .orderBy('device.id')
    .execute();

export type Target = Awaited<ReturnType<typeof targetsOf>>[number];

interface UpgradeRequest {
  readonly version: string;
  readonly now: number;
  /** Whether it starts at once, which needs an online device. */
  readonly isImmediate: boolean;
}

const refuseState = (target: Target, { now, isImmediate }: UpgradeRequest) => {
  if (!mayReceive(authorizationAt(target.auth_status, target.auth_expire_at, now))) throw fail('upgrade_unauthorized');
  if (isImmediate && target.online_state === 0) throw fail('device_offline');
  if (target.busy) throw fail('device_upgrading');
};

const keysOf = (target: Target, version: string) => {
  const requested = versionKey(version);
  const current = versionKey(target.version);
  if (requested === undefined) throw fail('firmware_missing', { args: [version] });
  if (current === undefined) throw fail('version_unknown');
  return { requested, current };
};

export interface Plan {
  readonly op: 'sys.upgrade' | 'sys.rollback';
  readonly firmware_id: number | null;
  readonly version_key: number;
}

/** spec §8: an upgrade needs an online device and an existing version; one that is not newer is refused. */
export const planUpgrade = (target: Target, request: UpgradeRequest): Plan => {
  refuseState(target, request);
  if (target.firmware_id === null) throw fail('firmware_missing', { args: [request.version] });
  const { requested, current } = keysOf(target, request.version);
  if (requested <= current) throw fail('version_not_newer', { args: [request.version, target.version ?? ''] });
  return { op: 'sys.upgrade', firmware_id: target.firmware_id, version_key: requested };
};

/** The gateway still has its previous version and only restarts it; an older version is downloaded. */
export const planRollback = (target: Target, request: UpgradeRequest): Plan => {
  refuseState(target, request);
  const { requested, current } = keysOf(target, request.version);
  if (requested >= current) throw fail('version_not_older', { args: [request.version, target.version ?? ''] });
  if (versionKey(target.version_past) === requested) return { op: 'sys.rollback', firmware_id: null, version_key: requested };
  if (target.firmware_id === null) throw fail('firmware_missing', { args: [request.version] });
  return { op: 'sys.upgrade', firmware_id: target.firmware_id, version_key: requested };
};
