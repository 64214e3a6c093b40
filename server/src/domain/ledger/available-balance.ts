import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';

/**
 * Balances that can be spent, in cents. An order that waits for payment reserves its part; a top-up that is being refunded stays in the
 * balance until the provider has returned it.
 */
export const availableBalances = async (db: Db, subscriberIds: readonly number[]): Promise<Map<number, bigint>> => {
  const { rows } = await sql<{ id: number; available: string }>`
    select s.id, s.balance
      - coalesce((select sum(o.balance_part) from pay_order o where o.subscriber_id = s.id and o.state = 'waiting'), 0)
      - coalesce((select sum(o.amount) from pay_order o join ledger_entry b on b.order_id = o.id
          where o.subscriber_id = s.id and o.state = 'paid' and o.withdraw_at is not null and b.package_id is null), 0) as available
    from subscriber s where s.id = any(${[...subscriberIds]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, available }) => [id, cents(available)]));
};

/** Refuses an amount that exceeds the available balance, at the method of payment. */
export const refuseShort = (available: bigint, amount: bigint) => {
  if (amount <= 0n || amount <= available) return;
  const has = priceText(available);
  const needs = priceText(amount);
  throw fail('balance_short', {
    fields: { pay_method: [`账户余额${has}，不足以支付${needs}`, `The balance is ${has}, which does not cover ${needs}`] },
  });
};

/** Available balance of a locked account, so that of concurrent sales each finds what the others have left. */
export const lockBalance = async (db: Db, subscriberId: number): Promise<bigint> => {
  await db.selectFrom('subscriber').select('id').where('id', '=', subscriberId).forUpdate().execute();
  return (await availableBalances(db, [subscriberId])).get(subscriberId) ?? 0n;
};

export const refuseShortBalance = async (db: Db, subscriberId: number, amount: bigint) =>
  refuseShort(await lockBalance(db, subscriberId), amount);
