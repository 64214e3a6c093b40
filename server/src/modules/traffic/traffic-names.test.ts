import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { percentOf } from './traffic-names.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

it('percentOf rounds like the SQL of the list, also halfway between two of the last decimals', async () => {
  const pairs = [
    [0, 0],
    [1, 3],
    [2, 3],
    [1, 2_000_000],
    [3, 2_000_000],
    [1_005, 100_000],
    [123_456_789_012_345, 987_654_321_098_765],
    ...Array.from({ length: 2000 }, (_, n) => [n * 7, 20_000 + 2 * n]),
    ...Array.from({ length: 2000 }, (_, n) => [2 * n + 1, 4_000_000]),
  ];
  const { rows } = await sql<{ percent: number | null }>`
    select round(100.0 * part / nullif(total::numeric, 0), 4)::float8 as percent
    from unnest(${pairs.map(([part]) => part)}::bigint[], ${pairs.map(([, total]) => total)}::bigint[]) with ordinality as p(part, total, n) order by n`.execute(
    service.deps.db,
  );
  expect(pairs.map(([part = 0, total = 0]) => percentOf(part, total))).toEqual(rows.map(({ percent }) => percent));
});
