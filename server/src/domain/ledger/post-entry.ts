import { yuan } from '@farlink/contract/kit/money.ts';
import type { Insertable } from 'kysely';
import { runPrepared } from '../../db/prepare.ts';
import type { Database } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';
import { nextNumber, returnNumber } from './document-number.ts';

export interface Posting {
  readonly kind: Database['ledger_account']['kind'];
  /** Payment method, kind of sale, or subscriber id. */
  readonly detail?: string;
  /** In cents; a zero amount is not posted. */
  readonly amount: bigint;
}

type Entry = Omit<Insertable<Database['ledger_entry']>, 'bill_no'>;

type AccountName = Pick<Insertable<Database['ledger_account']>, 'agent_id' | 'kind'> & { readonly detail: string };

/** All transactions lock in id order, so that two sales cannot deadlock. */
const lockAccounts = async (db: Db, agentId: number, names: readonly AccountName[]) => {
  const query = db
    .selectFrom('ledger_account')
    .select(['id', 'kind', 'detail'])
    .where('agent_id', '=', agentId)
    .where((eb) => eb.or(names.map(({ kind, detail }) => eb.and([eb('kind', '=', kind), eb('detail', '=', detail)]))))
    .orderBy('id')
    .forUpdate();
  return (await runPrepared(db, query)).rows;
};

/** Ledger accounts of a VNO that an entry uses. Missing ones are created, which only the first sale of its kind needs. */
const accountsOf = async (db: Db, agentId: number, postings: readonly Posting[]): Promise<Map<string, number>> => {
  const names = postings.map(({ kind, detail = '' }) => ({ agent_id: agentId, kind, detail }));
  let rows = await lockAccounts(db, agentId, names);
  if (rows.length < names.length) {
    await db
      .insertInto('ledger_account')
      .values(names)
      .onConflict((oc) => oc.doNothing())
      .execute();
    rows = await lockAccounts(db, agentId, names);
  }
  return new Map(rows.map(({ id, kind, detail }) => [`${kind} ${detail}`, id]));
};

/** Posts one balanced entry for one cause, in the caller's transaction. The database rejects an unbalanced entry at commit. */
export const postEntry = async (
  db: Db,
  entry: Entry,
  postings: readonly Posting[],
): Promise<{ id: number; bill_no: string; isNew: boolean }> => {
  const agentId = Number(entry.agent_id);
  const kind = entry.channel === 'stock' ? ('stock' as const) : ('bill' as const);
  const insert = db
    .insertInto('ledger_entry')
    .values({ ...entry, bill_no: nextNumber(agentId, kind, Number(entry.create_at)) })
    .onConflict((oc) => oc.column('cause').doNothing())
    .returning(['id', 'bill_no']);
  const [inserted] = (await runPrepared(db, insert)).rows;
  if (!inserted) {
    await returnNumber(db, agentId, kind);
    const known = await db.selectFrom('ledger_entry').select(['id', 'bill_no']).where('cause', '=', entry.cause).executeTakeFirstOrThrow();
    return { ...known, isNew: false };
  }
  const moved = postings.filter(({ amount }) => amount !== 0n);
  if (moved.length === 0) return { ...inserted, isNew: true };
  const accounts = await accountsOf(db, agentId, moved);
  const rows = moved.map(({ kind, detail = '', amount }) => {
    const account_id = accounts.get(`${kind} ${detail}`);
    if (account_id === undefined) throw new Error(`no account ${kind} ${detail}`);
    return { entry_id: inserted.id, account_id, amount: yuan(amount) };
  });
  await runPrepared(db, db.insertInto('ledger_posting').values(rows));
  return { ...inserted, isNew: true };
};
