import type { PayMethod } from '@farlink/contract/finance/choices.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import type { Insertable } from 'kysely';
import type { Database } from '../db/tables.ts';
import type { Db } from '../kit/deps.ts';

type Entry = Insertable<Database['ledger_entry']>;

export interface PastSale {
  readonly entry: Omit<Entry, 'bill_no' | 'cause' | 'channel'> & {
    readonly agent_id: number;
    readonly create_at: number;
    readonly income: string;
  };
  readonly pay_method: PayMethod;
}

const day = (at: number) => new Date((at + 8 * 3600) * 1000).toISOString().slice(0, 10).replaceAll('-', '');
const chunk = 500;

/** Inserts two years of sales in bulk, with the same database checks as single ones. */
export const insertSales = async (db: Db, sales: readonly PastSale[]) => {
  const inOrder = [...sales].sort((a, b) => a.entry.create_at - b.entry.create_at);
  const named = inOrder.flatMap(({ entry: { agent_id, expense_type }, pay_method }) => [
    { agent_id, kind: 'collected' as const, detail: String(pay_method) },
    { agent_id, kind: 'discount' as const, detail: '' },
    { agent_id, kind: 'revenue' as const, detail: expense_type },
  ]);
  const distinct = [...new Map(named.map((a) => [`${a.agent_id} ${a.kind} ${a.detail}`, a])).values()];
  const accounts = await db.insertInto('ledger_account').values(distinct).returning(['id', 'agent_id', 'kind', 'detail']).execute();
  const idOf = new Map(accounts.map((a) => [`${a.agent_id} ${a.kind} ${a.detail}`, a.id]));
  for (let at = 0; at < inOrder.length; at += chunk) {
    const part = inOrder.slice(at, at + chunk);
    const made = await db
      .insertInto('ledger_entry')
      .values(
        part.map(({ entry, pay_method }, i) => ({
          ...entry,
          pay_method,
          channel: 'counter' as const,
          cause: `history:${at + i}`,
          bill_no: `B${day(entry.create_at)}H${String(at + i).padStart(7, '0')}`,
        })),
      )
      .returning(['id', 'agent_id', 'expense_type', 'pay_method', 'income', 'discount'])
      .execute();
    const postings = made.flatMap((e) => {
      const account = (kind: string, detail: string) => {
        const id = idOf.get(`${e.agent_id} ${kind} ${detail}`);
        if (id === undefined) throw new Error(`no account ${kind} ${detail}`);
        return id;
      };
      const [income, discount] = [cents(e.income), cents(e.discount)];
      return [
        { entry_id: e.id, account_id: account('collected', String(e.pay_method)), amount: yuan(income - discount) },
        { entry_id: e.id, account_id: account('discount', ''), amount: yuan(discount) },
        { entry_id: e.id, account_id: account('revenue', e.expense_type), amount: yuan(-income) },
      ].filter(({ amount }) => amount !== '0.00');
    });
    await db.insertInto('ledger_posting').values(postings).execute();
  }
};
