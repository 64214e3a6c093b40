import { sql } from 'kysely';
import type { Db, Deps } from '../../../kit/deps.ts';
import type { MeterEvent } from '../engine/types.ts';
import { remindOfUsage } from './remind.ts';
import { sellFirstUsed } from './sell-temp-card.ts';

/** Metering result of one account. `overrun` are bytes beyond all packages. */
export interface SubscriberEvents {
  readonly id: number;
  readonly events: readonly MeterEvent[];
  readonly overrun: number;
  readonly at: number;
}

interface EventRow {
  readonly subscriber: number;
  readonly kind: string;
  readonly holding?: number | null;
  readonly bytes?: number;
  readonly at: number;
}

/** `refreshPackages` stores changes of the service itself, because purchases change it too. */
const rowOf = (subscriber: number, event: MeterEvent): EventRow[] => {
  const about = { subscriber, kind: event.type, at: event.at };
  switch (event.type) {
    case 'slow_down':
    case 'stop':
    case 'lifted':
      return [];
    case 'next_package':
      return [{ ...about, holding: event.to }];
    default:
      return [{ ...about, holding: event.holding }];
  }
};

const rowsOf = ({ id, events, overrun, at }: SubscriberEvents): EventRow[] => [
  ...events.flatMap((event) => rowOf(id, event)),
  ...(overrun > 0 ? [{ subscriber: id, kind: 'overrun', bytes: overrun, at }] : []),
];

const holdingsWith = (accounts: readonly SubscriberEvents[], type: 'activated' | 'reminder') =>
  accounts.flatMap(({ id, events }) =>
    events.flatMap((event) => (event.type === type ? [{ subscriber: id, holding: event.holding, at: event.at }] : [])),
  );

/** Stores the history of the accounts' service, sends reminders, and posts the sale of temporary cards that are used for the first time. */
export const handleMeterEvents = async (db: Db, deps: Pick<Deps, 'config'>, accounts: readonly SubscriberEvents[], now: number) => {
  const rows = accounts.flatMap(rowsOf);
  if (rows.length === 0) return;
  await sql`
    insert into service_event (subscriber_id, agent_id, kind, holding_id, package_id, bytes, at, create_at)
    select s.id, s.agent_id, u.kind, u.holding, h.package_id, u.bytes, u.at, ${now}
    from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (subscriber bigint, kind text, holding bigint, bytes bigint, at bigint)) with ordinality
      as u(subscriber, kind, holding, bytes, at, n)
      join subscriber s on s.id = u.subscriber left join holding h on h.id = u.holding order by u.n`.execute(db);
  const begun = holdingsWith(accounts, 'activated');
  if (begun.length > 0) await sellFirstUsed(db, begun, now);
  const due = holdingsWith(accounts, 'reminder');
  if (due.length > 0) await remindOfUsage(db, deps, due, now);
};
