import { type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { admitsVno, namedVnos, seenBy } from '../../domain/firmware/visibility.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';

const models = sql<string[]>`array(select m.model from firmware_model m where m.firmware_id = firmware.id order by m.model)`;

/** VNOs or devices that a version is shown to, limited to the scope of the reader. */
const targets = (me: SessionInfo) => sql<string[]>`case firmware.display_rule
  when 'vno' then array(select seen.name from agent seen where ${namedVnos(me)} order by seen.name)
  when 'device' then array(
    select seen.name from device seen where seen.id = any(firmware.device_ids) and ${inScope(me, 'seen.agent_id', 'seen.id')} order by seen.name
  ) else '{}' end`;

/** Only for a VNO in scope; a filter by another VNO returns no rows. */
const forVno = (me: SessionInfo, vnoId: number) =>
  sql<SqlBool>`${admitsVno(vnoId)} and exists (select from agent requested where requested.id = ${vnoId} and ${inScope(me, 'requested.id')})`;

export const firmwareQuery = ({ db, me, lang }: Pick<Ctx, 'db' | 'me' | 'lang'>, vnoId?: number) =>
  db
    .selectFrom('firmware')
    .select((eb) => [
      'firmware.id',
      'firmware.revision',
      'firmware.version',
      'firmware.file_name',
      'firmware.size',
      'firmware.sha256',
      'firmware.download_count',
      'firmware.remark',
      'firmware.release_desc',
      'firmware.display_rule',
      operatorName({ me, lang }, 'firmware.operator').as('operator'),
      'firmware.create_at',
      models.as('model'),
      targets(me).as('display_targets'),
      // The requested filter value as a column, so the generic filter matches.
      sql<number | null>`${vnoId ?? null}::bigint`.as('vno_id'),
      eb
        .exists(
          eb
            .selectFrom('upgrade_device')
            .whereRef('upgrade_device.firmware_id', '=', 'firmware.id')
            .where('upgrade_device.state', 'in', ['queued', 'sending', 'verifying']),
        )
        .as('in_use'),
    ])
    .where(seenBy(me))
    .where(vnoId === undefined ? sql<SqlBool>`true` : forVno(me, vnoId));
