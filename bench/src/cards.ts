import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { limits } from '@farlink/contract/limits.ts';
import { Pool } from 'pg';
import { table } from './measure.ts';
import { openTestServer, type Server, startServer } from './test-server.ts';

/**
 * Creates a batch of cards through the API: numbers, sealed passwords, rows and ledger entry. The reference is a plain insert of the same
 * rows.
 */
const rounds = 3;
const chunkSize = 5000;
const day = 86_400;

const orderBatch = async (server: Server, denomination: string): Promise<number> => {
  const ordered = await server.post(cardRuleCalls.make.path, {
    name: 'bench',
    cards: [{ card_type: 'amount', denomination, count: limits.cardsPerBatch }],
    bind_type: 'none',
    expire_at: Math.floor(Date.now() / 1000) + 30 * day,
  });
  return Number(Object(ordered).id);
};

/** Seconds from the request until the batch is ready. */
const timeBatch = async (server: Server, pool: Pool, denomination: string) => {
  const start = performance.now();
  const id = await orderBatch(server, denomination);
  for (;;) {
    const { rows } = await pool.query<{ state: string }>('select state from card_rule where id = $1', [id]);
    if (rows[0]?.state === 'ready') return { id, seconds: (performance.now() - start) / 1000 };
    if (rows[0]?.state === 'failed') throw new Error('the batch failed');
    await new Promise((done) => setTimeout(done, 20));
  }
};

/** Deletes and inserts the rows of a batch with plain SQL. */
const timeBaseline = async (pool: Pool, id: number): Promise<number> => {
  const { rows } = await pool.query<{ number: string; password: string }>(
    'delete from recharge_card where rule_id = $1 returning number, password',
    [id],
  );
  await pool.query('vacuum recharge_card');
  const client = await pool.connect();
  const start = performance.now();
  await client.query('begin');
  for (let at = 0; at < rows.length; at += chunkSize) {
    const chunk = rows.slice(at, at + chunkSize);
    await client.query(
      `insert into recharge_card (rule_id, agent_id, number, password, expire_at, create_at)
       select $1, 1, number, password, 4000000000, extract(epoch from now())::bigint from unnest($2::text[], $3::text[]) as made (number, password)`,
      [id, chunk.map((r) => r.number), chunk.map((r) => r.password)],
    );
  }
  await client.query('commit');
  client.release();
  return (performance.now() - start) / 1000;
};

const best = (times: readonly number[]) => Math.min(...times);

export const benchCards = async () => {
  const testServer = await openTestServer();
  try {
    const url = await testServer.newDatabase('bench_cards');
    const server = await startServer(url, testServer.folder, { DEMO: 'off', LOG_LEVEL: 'error' });
    const pool = new Pool({ connectionString: url, max: 2 });
    const made: number[] = [];
    const baseline: number[] = [];
    try {
      for (let round = 1; round <= rounds; round++) {
        const { id, seconds } = await timeBatch(server, pool, `${round}.00`);
        made.push(seconds);
        baseline.push(await timeBaseline(pool, id));
      }
    } finally {
      await pool.end();
      await server.stop();
    }
    const rate = (seconds: number) => (limits.cardsPerBatch / seconds).toFixed(0);
    table(`${limits.cardsPerBatch.toLocaleString('en')} recharge cards in one batch, an empty table, best of ${rounds}`, [
      ['cards/s, created over the API', rate(best(made))],
      ['same rows, plain inserts/s', rate(best(baseline))],
      ['ratio', (best(baseline) / best(made)).toFixed(2)],
    ]);
  } finally {
    await testServer.close();
  }
};
