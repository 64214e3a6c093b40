/** @module-tag all */

import { trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isScan, type PlanNode, planOf, rowsRead } from '../../../test/query-plan.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { storeHours } from '../../../test/traffic-rows.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import { makePartitions } from '../../db/partitions.ts';
import { deepPage } from '../../domain/traffic-query/traffic-counts.ts';
import { trafficQuery } from '../../domain/traffic-query/traffic-query.ts';
import { pageSql, timeOrder } from '../../domain/traffic-query/traffic-rows.ts';

/** Query plans of lists with many rows: a page at any offset reads rows of one hour, or of one VNO in it, from the index. */

const hours = 24;
const perHour = 4000;
let service: ServiceDeps;
let range: { time_start: number; time_end: number };

beforeAll(async () => {
  service = await serviceDeps();
  const { pool, db } = service.deps;
  const now = service.clock.now();
  await makePartitions(pool, now);
  const start = Math.floor(now / 3600) * 3600 - hours * 3600;
  range = { time_start: start, time_end: start + hours * 3600 - 1 };
  await pool.query(`insert into business_dpi_hour (time, agent_id, device_id, account, protocol_id, up_bytes, down_bytes)
    select ${start} + h * 3600, 10 + g % 4, g % 200, 'User' || g % 1000, '91.' || 100 + g % 40, g, h from generate_series(0, ${hours - 1}) h, generate_series(1, ${perHour}) g`);
  await storeHours(db, []);
  for (const table of ['business_dpi_hour', 'agent_flow_hour', 'agent_flow_day']) await pool.query(`vacuum analyze ${table}`);
}, 120_000);
afterAll(() => service.close());

/** Scans of the page after `offset` rows, newest first. */
const scansOf = async (me: SessionInfo, offset: number, filters: Readonly<Record<string, string>> = {}) => {
  const { db } = service.deps;
  const query = await trafficQuery(db, trafficKinds.dpi_usr, { me, now: service.clock.now(), filters: { ...range, ...filters } });
  const { pieces } = await deepPage(db, query, { offset, limit: 20, isNewestFirst: true });
  const plans: PlanNode[] = [];
  for (const { query: pieceQuery, isReversed, ...cut } of pieces) {
    const order = timeOrder(query, isReversed ? 'asc' : 'desc');
    plans.push(...(await planOf(db, pageSql(pieceQuery, { ...cut, order }, true))));
  }
  return plans.filter(isScan);
};

const rowsOf = (scans: readonly PlanNode[], type = '') =>
  scans.filter((node) => node['Node Type'].startsWith(type)).reduce((sum, node) => sum + rowsRead(node), 0);

/** VNOs 10 to 13 have a quarter of the rows each. */
const vno = (branch: readonly number[]): SessionInfo => ({ ...service.me, agent_level: 1, branch: [...branch] });
const readers = () => [
  { me: service.me, ofHour: perHour },
  { me: vno([10]), ofHour: perHour / 4 },
  { me: vno([10, 11]), ofHour: perHour / 2 },
];

it('a deep page skips at most half of the rows of one hour, or of one VNO in a large hour, by an index-only scan', async () => {
  for (const { me, ofHour } of readers())
    for (const fraction of [0.1, 0.45, 0.55, 0.9]) {
      const scans = await scansOf(me, ofHour * 12 + Math.floor(ofHour * fraction));
      const keys = rowsOf(scans, 'Index Only Scan');
      // For a branch, the limit applies to each VNO.
      const near = ofHour * Math.min(fraction, 1 - fraction);
      const maxRows = (near > 1000 ? perHour / 8 : near * (me.branch?.length ?? 1)) + 100;
      expect(keys, `${JSON.stringify(me.branch)} ${fraction}`).toBeLessThanOrEqual(maxRows);
      // A page near an end of its hour is read together with the rows before it.
      expect(rowsOf(scans, 'Index Scan')).toBeLessThanOrEqual(near <= 100 ? 120 : 40);
      expect(rowsOf(scans, 'Seq Scan')).toBe(0);
      for (const node of scans) expect(node['Heap Fetches'] ?? 0).toBe(0);
    }
});

it('a page across an hour boundary reads at most 100 rows', async () => {
  for (const { me, ofHour } of readers()) {
    const scans = await scansOf(me, ofHour * 12 - 7);
    expect(rowsOf(scans)).toBeLessThanOrEqual(100);
  }
});

it.each([
  ['account', 'user77', 40],
  ['protocol_id', '117', 300],
  ['protocol_id', '91.117', 300],
  // Matches several applications by name.
  ['protocol_id', 'google', 300],
] as const)('the first page filtered by %s %s reads at most %i rows', async (filter, value, maxRows) => {
  for (const me of [service.me, vno([10, 11, 12, 13])]) {
    const scans = await scansOf(me, 0, { [filter]: value });
    expect(rowsOf(scans)).toBeGreaterThanOrEqual(20);
    expect(rowsOf(scans)).toBeLessThanOrEqual(maxRows);
  }
});
