import { sql } from 'kysely';
import { prepared } from '../../../db/prepare.ts';
import type { Db } from '../../../kit/deps.ts';
import { nextReset } from '../engine/quota.ts';
import { endOf } from '../engine/status.ts';
import { statusAt } from '../engine/status-at.ts';
import type { Holding, MeterState, Service } from '../engine/types.ts';
import { currentHolding } from './current-holding.ts';
import { loadMeters } from './load-meters.ts';

/** Next time at which a status may change by time alone: a start, an end, a reset. */
const dueAt = ({ holdings }: MeterState, now: number): number | null => {
  const times = holdings
    .flatMap((h) => [h.start_at, h.activated_at ?? 0, endOf(h), nextReset(h, now)])
    .filter((at) => at > now && at !== Infinity);
  return times.length > 0 ? Math.min(...times) : null;
};

const lastSecond = (holding: Holding): number | null => {
  const end = endOf(holding);
  return end === Infinity ? null : end;
};

/** Metering knows no refunds, so a refunded package has expired for it. */
const stored = sql`case when v.status = 'expired' and h.refunded_at is not null then 'refunded' else v.status end`;

interface Shown {
  readonly id: number;
  readonly status: string | null;
  readonly holding: number | null;
  readonly due: number | null;
  readonly stopped: boolean;
  readonly service: Service;
}

/**
 * Columns of the account, and rows of the service history: full, slower or stopped, regardless of the cause. The first state of an account is
 * not a change.
 */
const updateAccounts = async (db: Db, rows: readonly Shown[], now: number) => {
  const shown = rows.map(({ service, ...row }) => ({ ...service, ...row, served: service.mode === 'full' ? service.holding : null }));
  await sql`${sql.raw(prepared)}
    with v as (select * from json_to_recordset(${JSON.stringify(shown)}::json) as v(id bigint, status text, holding bigint, due bigint,
      stopped boolean, mode text, served bigint, limit_up integer, limit_down integer, reason text)),
    changes as (insert into service_event (subscriber_id, agent_id, kind, holding_id, limit_up, limit_down, reason, at, create_at)
      select s.id, s.agent_id, case v.mode when 'full' then 'lifted' when 'slow' then 'slow_down' else 'stop' end, v.served, v.limit_up,
        v.limit_down, v.reason, ${now}::bigint, ${now}::bigint
      from v join subscriber s on s.id = v.id where s.service_mode <> v.mode order by s.id)
    update subscriber s set package_id = h.package_id, package_status = v.status, package_due_at = v.due, service_mode = v.mode,
      status = case when v.stopped and s.status = 'normal' then 'shutdown' when not v.stopped and s.status = 'shutdown' then 'normal' else s.status end
    from v left join holding h on h.id = v.holding
    where s.id = v.id`.execute(db);
};

/**
 * Updates the columns that lists show: the status of each holding, the package and its status of each account, and whether the account is
 * shut down because its quota is used up. Call it in the same transaction after any change of holdings.
 */
export const refreshPackages = async (db: Db, subscriberIds: readonly number[], now: number): Promise<void> => {
  if (subscriberIds.length === 0) return;
  const states = await loadMeters(db, subscriberIds);
  const rows = [...states].map(([id, state]) => {
    const { holdings, service } = statusAt(state, now);
    const { status, holding } = currentHolding(state, now);
    const stopped = service.mode === 'stop' && service.reason === 'exhausted';
    return { id, status, holding: holding?.id ?? null, due: dueAt(state, now), stopped, holdings, service };
  });
  const all = rows.flatMap((r) => r.holdings);
  const endsAt = new Map([...states.values()].flatMap((state) => state.holdings.map((h) => [h.id, lastSecond(h)] as const)));
  // An ended holding keeps its end. A longer package duration applies only to later holdings.
  const ends = all.map(({ id, status }) => {
    const ends_at = endsAt.get(id) ?? null;
    return { id, status, ends_at, ended_at: status === 'expired' ? ends_at : null };
  });
  await sql`${sql.raw(prepared)}
    update holding h set state = ${stored}, ends_at = v.ends_at,
      expire_at = case when h.state <> ${stored} then least(h.expire_at, v.ended_at) else h.expire_at end
    from json_to_recordset(${JSON.stringify(ends)}::json) as v(id bigint, status text, ends_at bigint, ended_at bigint)
    where h.id = v.id and (h.state <> ${stored} or h.ends_at is distinct from v.ends_at)`.execute(db);
  await updateAccounts(
    db,
    rows.map(({ holdings: _, ...row }) => row),
    now,
  );
};
