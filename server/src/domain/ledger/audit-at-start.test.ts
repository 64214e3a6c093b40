import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { auditAtStart } from './audit-at-start.ts';
import { postSale } from './post-sale.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

test('a ledger that does not balance is logged as an error with the difference', async () => {
  const { db } = service.deps;
  const lines: { level: number; msg: string; faults?: string[] }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const by = { agent_id: service.me.agent_id, customer_id: null, operator: '-' };
  const sale = { cause: 'a', channel: 'counter', expense_type: 'recharge', pay_method: 'cash', income: '9.00' } as const;
  await db.transaction().execute((tx) => postSale(tx, by, sale, 1));
  await auditAtStart({ db, log });
  await sql`update ledger_account set amount = 10 where kind = 'collected'`.execute(db);
  await auditAtStart({ db, log });
  expect(lines).toMatchObject([
    { level: 30, msg: 'ledger audit passed' },
    { level: 50, faults: [expect.stringMatching(/has 10\.00, its postings sum to 9\.00/)] },
  ]);
});
