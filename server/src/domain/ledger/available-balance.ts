import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';

/** Balances that can be spent, in cents: a top-up that is being refunded stays in the balance until the provider has returned it. */
export const availableBalances = async (db: Db, subscriberIds: readonly number[]): Promise<Map<number, bigint>> => {
  const rows = await db
    .selectFrom('subscriber')
    .select([
      'id',
      sql<string>`subscriber.balance - coalesce((select sum(o.amount) from pay_order o join ledger_entry b on b.order_id = o.id
        where o.subscriber_id = subscriber.id and o.state = 'paid' and o.withdraw_at is not null and b.package_id is null), 0)`.as(
        'available',
      ),
    ])
    .where('id', 'in', [...subscriberIds, 0])
    .execute();
  return new Map(rows.map(({ id, available }) => [id, cents(available)]));
};

/** Refuses an amount that exceeds the available balance, at the method of payment. */
export const refuseShort = (available: bigint, amount: bigint) => {
  if (amount <= 0n || amount <= available) return;
  const [has, needs] = [priceText(available), priceText(amount)];
  throw fail('balance_short', {
    fields: { pay_method: [`账户余额${has}，不足以支付${needs}`, `The balance is ${has}, which does not cover ${needs}`] },
  });
};

/** Locks the account, so that of concurrent sales each finds what the others have left. */
export const refuseShortBalance = async (db: Db, subscriberId: number, amount: bigint) => {
  await db.selectFrom('subscriber').select('id').where('id', '=', subscriberId).forUpdate().execute();
  refuseShort((await availableBalances(db, [subscriberId])).get(subscriberId) ?? 0n, amount);
};
