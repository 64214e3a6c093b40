import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import type { Seller } from './post-sale.ts';

/** Reverses an entry by posting the opposite amounts. An entry can be reversed only once. */
export const reverseEntry = async (db: Db, by: Seller, entryId: number, remark: string | null, now: number): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('ledger_entry')
    .set({ state: 'revoked' })
    .where('id', '=', entryId)
    .where('state', '=', 'settled')
    .where('reverses_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw fail('bill_revoked');
  const { rows } = await sql<{ id: number }>`
    insert into ledger_entry (agent_id, cause, bill_no, channel, expense_type, pay_method, income, expend, balance_part, count, subscriber_id, account, user_name, account_type,
      account_source, package_id, package_name, device_id, device_group_id, bind_name, card_id, reverses_id, customer_id, operator, remark, create_at)
    select agent_id, 'reverse:' || id, bill_no || 'R', channel, 'refund', pay_method, greatest(-net_income, 0), greatest(net_income, 0), -balance_part, count, subscriber_id, account, user_name, account_type,
      account_source, package_id, package_name, device_id, device_group_id, bind_name, card_id, id, ${by.customer_id}, ${by.operator}, ${remark}, ${now}
    from ledger_entry where id = ${entryId} returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw fail('not_found');
  await sql`insert into ledger_posting (entry_id, account_id, amount) select ${id}, account_id, -amount from ledger_posting where entry_id = ${entryId}`.execute(
    db,
  );
  return id;
};
