import type { Random } from '@farlink/contract/kit/random.ts';
import { newCards } from '../domain/card/card-number.ts';
import { postSale } from '../domain/ledger/post-sale.ts';
import type { Db } from '../kit/deps.ts';
import { seal } from '../kit/session/secret.ts';
import { postStock } from '../modules/card/post-stock.ts';

const day = 86_400;
const batches = [
  { name: '码头促销', denomination: '50.00', count: 40 },
  { name: '船员福利', denomination: '100.00', count: 30 },
] as const;

interface When {
  readonly now: number;
  readonly since: number;
  readonly secretKey: Buffer;
}

/** Cards of the larger VNOs from the last months; one third is redeemed. */
export const seedCards = async (db: Db, random: Random, { now, secretKey }: When) => {
  const sellers = await db
    .selectFrom('agent')
    .innerJoin('customer', (join) => join.onRef('customer.agent_id', '=', 'agent.id').on('customer.is_owner', '=', true))
    .select(['agent.id as agent_id', 'customer.id as customer_id', 'customer.name as operator'])
    .where('agent.agent_level', '=', 1)
    .orderBy('agent.id')
    .limit(4)
    .execute();
  for (const by of sellers) {
    const buyers = await db.selectFrom('subscriber').selectAll().where('agent_id', '=', by.agent_id).orderBy('id').execute();
    for (const { name, denomination, count } of batches) {
      const at = now - random.int(30, 150) * day;
      const stamp = { agent_id: by.agent_id, create_at: at };
      const { id } = await db
        .insertInto('card_rule')
        .values({
          ...stamp,
          batch_no: `C${by.agent_id}${denomination.slice(0, -3)}${String(at).slice(-5)}`,
          name,
          card_type: 'amount',
          denomination,
          count,
          made_count: count,
          expire_at: now + 200 * day,
          state: 'ready',
          customer_id: by.customer_id,
          producer: by.operator,
          update_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await postStock(db, by, { cause: `card_stock:${id}`, denomination, count, remark: `+${count}` }, at);
      const cardRows = newCards(count).map(({ number, password }) => ({
        ...stamp,
        rule_id: id,
        number,
        password: seal(secretKey, password),
        expire_at: now + 200 * day,
      }));
      const cards = await db.insertInto('recharge_card').values(cardRows).returning('id').execute();
      const spent = cards.slice(0, Math.floor(count / 3));
      for (const card of spent) {
        const buyer = random.pick(buyers);
        const used_at = random.int(at, now - 3600);
        await db
          .updateTable('recharge_card')
          .set({ status: 'used', used_at, subscriber_id: buyer.id, used_user: buyer.account })
          .where('id', '=', card.id)
          .execute();
        const sale = { channel: 'card', expense_type: 'recharge', pay_method: null, income: denomination, into: 'balance' } as const;
        await postSale(db, by, { ...sale, cause: `card:${card.id}`, buyer, card_id: card.id }, used_at);
      }
      await db.updateTable('card_rule').set({ used_count: spent.length }).where('id', '=', id).execute();
    }
  }
};
