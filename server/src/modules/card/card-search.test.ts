import { cardCalls } from '@farlink/contract/card/card.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import type { Db } from '../../kit/deps.ts';
import type { ListInput } from '../../kit/list/listing.ts';
import { pageOf } from '../../kit/list/page.ts';
import { cardQuery, cardScope } from './card-query.ts';

const cards = 60_000;
let service: ServiceDeps;

/** Cards of two VNOs, numbered in order of time. */
beforeAll(async () => {
  service = await serviceDeps();
  const { pool } = service.deps;
  await pool.query(`with made as (insert into role (agent_id, kind, name, scope, permissions, creator, create_at, update_at)
      select id, 'agent', 'VNO', 'unlimited', '{}', 'admin', 1, 1 from agent returning id, agent_id)
    insert into agent (id, parent_id, path, agent_level, role_id, name, code, agent_mode, create_at, update_at)
    select g, made.agent_id, '/1/' || g || '/', 1, made.id, 'VNO ' || g, 'V' || g, 1, 1, 1 from made, generate_series(101, 102) g`);
  await pool.query(`insert into card_rule (id, agent_id, batch_no, name, card_type, denomination, count, expire_at, state, producer, create_at, update_at)
    select id, id, 'B' || id, 'Batch', 'amount', 10, 30000, 2000000000, 'ready', 'admin', 1, 1 from generate_series(101, 102) id`);
  await pool.query(`insert into recharge_card (rule_id, agent_id, number, password, expire_at, create_at)
    select 101 + n % 2, 101 + n % 2, 'C' || lpad(n::text, 15, '0'), '-', 2000000000 + n, n from generate_series(1, ${cards}) n`);
  await pool.query('vacuum analyze recharge_card');
});
afterAll(() => service.close());

/** The counter may contain rows of the transaction before. */
const rowsRead = async (db: Db) => {
  const { rows } = await sql<{ n: number }>`select seq_tup_read + idx_tup_fetch as n
    from pg_stat_xact_user_tables where relname = 'recharge_card'`.execute(db);
  return rows[0]?.n ?? 0;
};

/** A page of the first VNO, and the rows of the table that it reads. */
const search = (input: Pick<ListInput, 'filters'> & Partial<ListInput>) =>
  service.deps.db.transaction().execute(async (db) => {
    const me = { ...service.me, agent_id: 101, agent_level: 1, agent_path: '/1/101/', branch: [101] };
    const rows = db.selectFrom('recharge_card').where(cardScope(me));
    const before = await rowsRead(db);
    const page = await pageOf(db, cardCalls.list, { page: 1, limit: 20, ...input }, cardQuery(db, { me, lang: 'zh' }), rows);
    const read = (await rowsRead(db)) - before;
    return { ...page, numbers: page.list.map(({ number }) => Number(number.slice(1))), read };
  });

it('finds the oldest cards by four digits without reading over the newer ones', { tags: 'all' }, async () => {
  const { numbers, total, read } = await search({ filters: { number: '00012' } });
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => 12_998 - 2 * i));
  expect(total).toBe(556);
  expect(read).toBeLessThan(3000);
});

it('sorts and pages what it found', { tags: 'all' }, async () => {
  const filters = { number: '00012' };
  const { numbers } = await search({ filters, orderby: 'number asc', page: 2, limit: 4 });
  expect(numbers).toEqual([126, 128, 1200, 1202]);
  const byStatus = await search({ filters, orderby: 'status asc', page: 2, limit: 4 });
  expect(byStatus.numbers).toEqual([12_990, 12_988, 12_986, 12_984]);
  expect(await search({ filters, page: 50 })).toMatchObject({ list: [], total: 556 });
});

it('reads only the matches of a filter that the sort depends on', { tags: 'all' }, async () => {
  const filters = { expire_at_start: 2_000_000_000 + cards * 0.8, expire_at_end: 2_000_000_000 + cards };
  const { numbers, total, read } = await search({ filters, orderby: 'number asc', limit: 3 });
  expect(numbers).toEqual([48_000, 48_002, 48_004]);
  expect(total).toBe(limits.countCapFiltered);
  expect(read).toBeLessThan(20_000);
});

it('caps the total, and counts the rest on request', { tags: 'all' }, async () => {
  const filters = { number: '0001' };
  expect(await search({ filters })).toMatchObject({ total: limits.countCapFiltered, capped: true });
  expect((await search({ filters, count: 'exact' })).total).toBe(5555);
});

it('reads only the start of the list if most cards match', { tags: 'all' }, async () => {
  const filters = { number: 'C0000' };
  const { numbers, read, ...page } = await search({ filters });
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => cards - 2 * i));
  expect(page).toMatchObject({ total: limits.countCapFiltered, capped: true });
  expect(read).toBeLessThan(5000);
  const last = await search({ filters, page: 51, orderby: 'number asc' });
  expect(last.numbers).toEqual(Array.from({ length: 20 }, (_, i) => 2000 + 2 * (i + 1)));
  expect(last.read).toBeLessThan(5000);
  expect((await search({ filters, count: 'exact' })).total).toBe(cards / 2);
});
