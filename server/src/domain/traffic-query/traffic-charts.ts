import { isEmpty } from '@farlink/contract/kit/check.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { flowProtocol } from '@farlink/contract/traffic/flow-protocol.ts';
import type { TrafficKind } from '@farlink/contract/traffic/kinds.ts';
import { chartStep, type Period, previousPeriod } from '@farlink/contract/traffic/period.ts';
import type { TrafficRank, TrafficSeries, TrafficShare, TrafficTrend } from '@farlink/contract/traffic/traffic.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { siteNames } from '../radius/site-names.ts';
import { asOf } from './as-of.ts';
import { applicationSql, type TrafficQuery, trafficQuery } from './traffic-query.ts';
import { bucketsOf, largestOf, type Share, sumsOf } from './traffic-sums.ts';

const maxShown = 10;

type Reader = Pick<Ctx, 'db' | 'me' | 'lang' | 'now'>;

const queryOf = (ctx: Reader, kind: TrafficKind, input: Values) => {
  const filters = Object.fromEntries(Object.entries(input).filter(([, value]) => !isEmpty(value)));
  return trafficQuery(ctx.db, kind, { me: ctx.me, now: ctx.now(), filters });
};

const seriesOf = async (ctx: Reader, query: TrafficQuery, period: Period, step: number): Promise<TrafficSeries> => {
  const count = Math.ceil((period.end + 1 - period.start) / step);
  const up = Array.from({ length: count }, () => 0);
  const down = Array.from({ length: count }, () => 0);
  for (const { bucket, up_bytes, down_bytes } of await bucketsOf(ctx.db, query, period, step)) {
    up[bucket] = up_bytes;
    down[bucket] = down_bytes;
  }
  return { start_at: period.start, end_at: period.end, up_bytes: up, down_bytes: down };
};

/** Traffic of a period by interval, with the period before. */
export const trendOf = async (ctx: Reader, kind: TrafficKind, input: Values): Promise<TrafficTrend> => {
  const query = await queryOf(ctx, kind, input);
  const step = chartStep(query.stat, query.period);
  const [series, previous, as_of] = await Promise.all([
    seriesOf(ctx, query, query.period, step),
    seriesOf(ctx, query, previousPeriod(query.stat, query.period), step),
    asOf(ctx.db, kind),
  ]);
  return { ...series, step, previous, as_of };
};

/** Bytes of a whole period, both directions. */
export const totalOf = async (ctx: Reader, kind: TrafficKind, input: Values): Promise<number> => {
  const query = await queryOf(ctx, kind, input);
  const { up_bytes, down_bytes } = await seriesOf(ctx, query, query.period, query.period.end + 1 - query.period.start);
  return (up_bytes[0] ?? 0) + (down_bytes[0] ?? 0);
};

interface Named {
  readonly name: string;
  readonly category?: string | null;
}

const sharesOf = (shares: readonly Share[], total: number, nameOf: (id: string) => Named): TrafficShare[] =>
  shares.map(({ id, up_bytes, down_bytes }) => {
    const total_bytes = up_bytes + down_bytes;
    const { name, category = null } = nameOf(id);
    return {
      id,
      name,
      category,
      up_bytes,
      down_bytes,
      total_bytes,
      percent: total === 0 ? 0 : Math.round((10_000 * total_bytes) / total) / 100,
    };
  });

const deviceNames = async (ctx: Reader, shares: readonly Share[]): Promise<(id: string) => Named> => {
  const names = await siteNames(
    ctx.db,
    ctx.me,
    shares.map(({ id }) => Number(id)),
  );
  return (id) => ({ name: names.get(Number(id))?.name ?? '' });
};

/** Users and devices are ranked within an application, a device or an account; for a whole fleet they are in the list. */
export const rankOf = async (ctx: Reader, kind: TrafficKind, input: Values): Promise<TrafficRank> => {
  const query = await queryOf(ctx, kind, input);
  const { needs, period } = query;
  const limit = maxShown;
  const isNarrow = needs.has('protocol') || needs.has('device') || needs.has('account');
  const hasAccounts = kind.id === 'dpi_usr' && isNarrow;
  const [sums, applications, accounts, devices, as_of] = await Promise.all([
    sumsOf(ctx.db, query),
    largestOf(ctx.db, query, { needs: ['protocol'], id: applicationSql('r.protocol_id'), limit }),
    hasAccounts ? largestOf(ctx.db, query, { needs: ['account', 'protocol'], id: sql<string>`r.account`, limit }) : [],
    isNarrow ? largestOf(ctx.db, query, { needs: ['device', 'protocol'], id: sql<string>`r.device_id::text`, limit }) : [],
    asOf(ctx.db, kind),
  ]);
  const total = sums.up_bytes + sums.down_bytes;
  const protocol = (id: string): Named => {
    const { name, category } = flowProtocol(id);
    return { name: say(name, ctx.lang), category: category ? say(category, ctx.lang) : null };
  };
  return {
    start_at: period.start,
    end_at: period.end,
    total_bytes: total,
    applications: sharesOf(applications, total, protocol),
    accounts: sharesOf(accounts, total, (id) => ({ name: id })),
    devices: sharesOf(devices, total, await deviceNames(ctx, devices)),
    as_of,
  };
};
