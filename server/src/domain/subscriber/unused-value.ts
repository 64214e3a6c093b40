import { cents } from '@farlink/contract/kit/money.ts';
import type { Db } from '../../kit/deps.ts';
import { loadMeters } from '../metering/store/load-meters.ts';
import { unusedAmount } from './unused-amount.ts';

/** Price of the unused packages of each account, in cents. */
export const unusedValues = async (db: Db, ids: readonly number[], now: number): Promise<Map<number, bigint>> => {
  const states = await loadMeters(db, ids);
  const prices = await db
    .selectFrom('holding')
    .select(['id', 'price'])
    .where('subscriber_id', 'in', ids)
    .where('price', '>', '0')
    .execute();
  const paid = new Map(prices.map(({ id, price }) => [id, cents(price)]));
  return new Map(
    [...states].map(([id, { holdings }]) => [id, holdings.reduce((sum, h) => sum + unusedAmount(h, paid.get(h.id) ?? 0n, now), 0n)]),
  );
};
