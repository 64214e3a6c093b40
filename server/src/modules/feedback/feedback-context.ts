import { linkName } from '@farlink/contract/device/link-name.ts';
import type { feedbackCalls as calls } from '@farlink/contract/feedback/feedback.ts';
import type { ApStates, FeedbackContext, LinkStates, SessionSpan } from '@farlink/contract/feedback/feedback-context.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { DeviceEventKind } from '@farlink/contract/protocol/event.ts';
import { type Network, networkOf } from '@farlink/contract/protocol/network.ts';
import { sql } from 'kysely';
import { describeEvent } from '../../domain/device/describe-event.ts';
import { inOwnedPeriod } from '../../domain/transfer/in-owned-period.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';
import { findFeedback } from './feedback.ts';
import { spansOf } from './state-spans.ts';

interface Period {
  readonly deviceId: number;
  readonly start: number;
  readonly end: number;
}

/** Maximum of log rows that are read to find the state before the period. */
const maxBefore = 500;
const maxEvents = 100;

interface EventRow {
  readonly kind: DeviceEventKind;
  readonly at: number;
  readonly doc: unknown;
}

/** Events of the period, and the last one before it about the presence of the device. */
const eventsOf = async (ctx: Ctx, { deviceId, start, end }: Period) => {
  const scope = inScope(ctx.me, 'device_event.agent_id');
  const columns = sql`device_event.kind, device_event.at, device_event.doc`;
  const before = (kinds: readonly string[]) => sql<EventRow>`(select ${columns} from device_event where device_id = ${deviceId}
    and kind = any(${kinds}::text[]) and at < ${start} and ${scope} order by at desc limit 1)`;
  const during = sql<EventRow>`(select ${columns} from device_event where device_id = ${deviceId}
    and at >= ${start} and at <= ${end} and ${scope} order by at limit ${sql.lit(maxEvents)})`;
  const all = sql<EventRow>`select * from (${before(['online', 'offline'])} union all ${during}) e order by at`;
  return (await all.execute(ctx.db)).rows;
};

/** Rows of a state log: those of the period, and the latest of each line before it. */
const logRows = async <Row>(ctx: Ctx, table: 'wan_link_log' | 'ap_link_log', line: string, { deviceId, start, end }: Period) => {
  const scope = inScope(ctx.me, `${table}.agent_id`);
  const { rows } = await sql<Row>`
    with before as (select * from ${sql.table(table)} where device_id = ${deviceId} and create_at < ${start} and ${scope}
      order by create_at desc, id desc limit ${sql.lit(maxBefore)})
    select * from (
      (select distinct on (${sql.ref(line)}) * from before order by ${sql.ref(line)}, create_at desc, id desc)
      union all
      (select * from ${sql.table(table)} where device_id = ${deviceId} and create_at between ${start} and ${end} and ${scope})
    ) rows order by create_at, id`.execute(ctx.db);
  return rows;
};

const linksOf = async (ctx: Ctx, period: Period): Promise<LinkStates[]> => {
  type Row = { link: string; network: Network; link_state: 'on' | 'off' | 'abnormal'; create_at: number };
  const rows = await logRows<Row>(ctx, 'wan_link_log', 'link', period);
  return [...Map.groupBy(rows, ({ link }) => link)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([link, changes]) => ({
      name: linkName(link),
      network: networkOf(link),
      spans: spansOf(
        changes.map((row) => ({ at: row.create_at, state: row.link_state })),
        period.start,
        period.end,
      ),
    }));
};

const apsOf = async (ctx: Ctx, period: Period): Promise<ApStates[]> => {
  type Row = { ap_name: string; ap_state: 'up' | 'offline'; create_at: number };
  const rows = await logRows<Row>(ctx, 'ap_link_log', 'ap_name', period);
  return [...Map.groupBy(rows, ({ ap_name }) => ap_name)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, changes]) => ({
      name,
      spans: spansOf(
        changes.map((row) => ({ at: row.create_at, state: row.ap_state })),
        period.start,
        period.end,
      ),
    }));
};

/** The link in use, from the changes that the gateway reported. */
const currentOf = async (ctx: Ctx, { deviceId, start, end }: Period) => {
  const scope = inScope(ctx.me, 'wan_change.agent_id');
  const { rows } = await sql<{ at: number; to_link: string | null }>`select * from (
    (select create_at as at, to_link from wan_change where device_id = ${deviceId} and source = 'wan' and create_at < ${start} and ${scope}
      order by create_at desc, id desc limit 1)
    union all
    (select create_at, to_link from wan_change where device_id = ${deviceId} and source = 'wan' and create_at between ${start} and ${end}
      and ${scope})) changes order by at`.execute(ctx.db);
  const named = (link: string | null) => (link === null || link === 'none' ? null : linkName(link));
  return spansOf(
    rows.map(({ at, to_link }) => ({ at, state: named(to_link) })),
    start,
    end,
  );
};

const loadOf = async (ctx: Ctx, { deviceId, start, end }: Period) => {
  const isOwned = await inOwnedPeriod(ctx, deviceId);
  const { rows } = await sql<FeedbackContext['load'][number]>`
    select at / 60 * 60 as at, round(avg(cpu))::int as cpu, round(avg(memory))::int as memory
    from device_load where device_id = ${deviceId} and at between ${start} and ${end} and ${isOwned('at')} group by 1 order by 1`.execute(
    ctx.db,
  );
  return rows;
};

const flowOf = async (ctx: Ctx, { deviceId, start, end }: Period) => {
  const isOwned = await inOwnedPeriod(ctx, deviceId);
  const { rows } = await sql<FeedbackContext['flow'][number]>`
    select at, round(sum(up_bytes) / greatest(max(seconds), 1))::bigint as up, round(sum(down_bytes) / greatest(max(seconds), 1))::bigint as down
    from device_flow where device_id = ${deviceId} and at between ${start} and ${end} and ${isOwned('at')} group by at order by at`.execute(
    ctx.db,
  );
  return rows;
};

const sessionsOf = async (ctx: Ctx, userId: number | null, start: number, end: number): Promise<SessionSpan[]> => {
  if (userId === null) return [];
  const rows = await ctx.db
    .selectFrom('online_session')
    .select(['login_at', 'logout_at', 'mac', 'up_bytes', 'down_bytes'])
    .where('subscriber_id', '=', userId)
    .where('login_at', '<=', end)
    .where((eb) => eb.or([eb('logout_at', 'is', null), eb('logout_at', '>=', start)]))
    .where(inScope(ctx.me, 'online_session.agent_id'))
    .orderBy('login_at')
    .limit(20)
    .execute();
  return rows.map((row) => ({ ...row, start: Math.max(row.login_at, start), end: Math.min(row.logout_at ?? end, end) }));
};

const noDevice = { online: [], current: [], links: [], aps: [], load: [], flow: [], events: [] };

const deviceContext = async (ctx: Ctx, period: Period): Promise<Omit<FeedbackContext, 'at' | 'start' | 'end' | 'sessions'>> => {
  const { start, end } = period;
  const [events, current, links, aps, load, flow] = await Promise.all([
    eventsOf(ctx, period),
    currentOf(ctx, period),
    linksOf(ctx, period),
    apsOf(ctx, period),
    loadOf(ctx, period),
    flowOf(ctx, period),
  ]);
  const presence = events.filter(({ kind }) => kind === 'online' || kind === 'offline');
  return {
    online: spansOf(
      presence.map(({ at, kind }) => ({ at, state: kind === 'online' ? 'on' : 'off' })),
      start,
      end,
    ),
    current,
    links,
    aps,
    load,
    flow,
    events: events
      .filter(({ at }) => at >= start)
      .map(({ at, kind, doc }) => ({ at, kind, content: say(describeEvent(kind, isRecord(doc) ? doc : {}), ctx.lang) })),
  };
};

/** What the device, its links and the sessions of the account did around the time of the feedback. */
export const readFeedbackContext: Handler<typeof calls.around> = async (ctx, { id }) => {
  const { create_at: at, device_id, user_id } = await findFeedback(ctx, id);
  const minutes = limits.feedbackContextMinutes;
  const start = at - minutes * 60;
  const end = Math.min(at + minutes * 60, Math.max(ctx.now(), at + 60));
  const [device, sessions] = await Promise.all([
    device_id === null ? noDevice : deviceContext(ctx, { deviceId: device_id, start, end }),
    sessionsOf(ctx, user_id, start, end),
  ]);
  return { at, start, end, ...device, sessions };
};
