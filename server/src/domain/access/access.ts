import type { BlockReason } from '@farlink/gateway/protocol/account.ts';
import { sql } from 'kysely';
import type { AccountStatus } from '../../db/column-types.ts';
import { preparedByIds } from '../../db/prepare.ts';
import type { Db } from '../../kit/deps.ts';
import type { MeterState } from '../metering/engine/types.ts';
import { loadMeters } from '../metering/store/load-meters.ts';
import { type AfterPhases, afterPhases, phasesOf, type ServicePhase } from './phases.ts';

const byIds = sql.raw(preparedByIds);

/** Everything that a gateway or RADIUS needs to serve an account. */
export interface Access {
  readonly id: number;
  readonly agent_id: number;
  readonly account: string;
  /** Sealed internet password. */
  readonly password: string;
  readonly verifier: string | null;
  readonly device_id: number | null;
  readonly device_group_id: number | null;
  readonly whole_vno: boolean;
  /** Reason why the account is blocked. Null: the phases decide. */
  readonly blocked: BlockReason | null;
  readonly allow_logins: number;
  readonly bind_ip: string | null;
  readonly bind_mac: string | null;
  readonly vlan_id: number | null;
  readonly expire_at: number;
  /** Null: sessions do not end by idling. */
  readonly idle_s: number | null;
  readonly phases: readonly ServicePhase[];
  readonly after: AfterPhases;
  /** Application template of the policy chain; null: the gateway's own policy applies. */
  readonly application_id: number | null;
}

const nothing: MeterState = { clock: 0, holdings: [], overrun: { bytes: 0, seconds: 0 } };

/** `shutdown` does not block: packages and credit control stop the service already, and a new cycle ends it. */
export const blockOf = (
  { status, expire_at }: { readonly status: AccountStatus; readonly expire_at: number },
  now: number,
): BlockReason | null => {
  if (status === 'disabled' || status === 'frozen' || status === 'expired' || status === 'reserved_shutdown') return status;
  return expire_at <= now ? 'expired' : null;
};

const rowsOf = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<
    Omit<Access, 'blocked' | 'idle_s' | 'phases' | 'after'> & { readonly status: AccountStatus }
  >`${byIds}select s.id, s.agent_id, s.account, s.password, s.verifier, s.device_id, s.device_group_id, s.whole_vno, s.status, s.allow_logins, s.bind_ip, s.bind_mac,
      s.vlan_id, s.expire_at,
      coalesce(c.application_id, case when s.custom_policy then s.application_id end, p.application_id) as application_id
    from subscriber s left join open_config c on c.id = s.config_id left join package p on p.id = s.package_id
    where s.id = any(${ids}::bigint[])`.execute(db);
  return rows;
};

/** Idle timeout in seconds by VNO: that of the nearest VNO that sets one. */
const idleOf = async (db: Db, agents: readonly number[]): Promise<ReadonlyMap<number, number | null>> => {
  const { rows } = await sql<{ id: number; minutes: number | null }>`${sql.raw(preparedByIds)}
    select a.id, (
      select (v.value #>> '{}')::int from setting v join agent o on o.id = v.agent_id
      where v.name = 'idle_timeout' and a.path like o.path || '%' order by o.agent_level desc limit 1
    ) as minutes from agent a where a.id = any(${[...new Set(agents)]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, minutes }) => [id, minutes ? minutes * 60 : null]));
};

/** Access of these accounts now. Deleted accounts are missing in the result. */
export const accessOf = async (db: Db, ids: readonly number[], now: number): Promise<ReadonlyMap<number, Access>> => {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(db, ids);
  const meters = await loadMeters(db, ids);
  const idle = await idleOf(
    db,
    rows.map(({ agent_id }) => agent_id),
  );
  return new Map(
    rows.map(({ status, ...row }) => {
      const state = meters.get(row.id) ?? nothing;
      const access: Access = {
        ...row,
        blocked: blockOf({ status, expire_at: row.expire_at }, now),
        idle_s: idle.get(row.agent_id) ?? null,
        phases: phasesOf(state, now),
        after: afterPhases(state, now),
      };
      return [row.id, access];
    }),
  );
};
