import { sql } from 'kysely';
import type { Db } from '../../../kit/deps.ts';
import { postSale } from '../../ledger/post-sale.ts';

interface FirstUse {
  readonly subscriber: number;
  readonly holding: number;
  readonly at: number;
}

interface Card {
  readonly id: number;
  readonly holding: number;
  readonly agent_id: number;
  readonly account: string;
  readonly name: string;
  readonly account_source: string;
  readonly device_id: number | null;
  readonly device_group_id: number | null;
  readonly bind_name: string | null;
  readonly seller_id: number | null;
  readonly seller: string | null;
  readonly producer: string | null;
  readonly package_id: number;
  readonly package_name: string;
  readonly price: string;
}

/**
 * Temporary cards that were made without a bill and not sold yet, and whose own package begins. The own package is the first one: those that
 * were bought later have a bill already.
 */
const cardsOf = async (db: Db, used: readonly FirstUse[]): Promise<Card[]> => {
  const { rows } = await sql<Card>`
    select s.id, h.id as holding, s.agent_id, s.account, s.name, s.account_source, s.device_id, s.device_group_id, coalesce(d.name, g.name) as bind_name,
      s.seller_id, c.name as seller, s.producer, p.id as package_id, p.name as package_name, coalesce(s.card_price, p.price)::text as price
    from holding h join subscriber s on s.id = h.subscriber_id join package p on p.id = h.package_id
      left join customer c on c.id = s.seller_id left join device d on d.id = s.device_id left join device_group g on g.id = s.device_group_id
    where h.id = any(${used.map(({ holding }) => holding)}::bigint[]) and s.account_type = 'temp_card' and s.is_unsold
      and not exists (select from holding o where o.subscriber_id = s.id and o.id < h.id)
    order by s.id`.execute(db);
  return rows;
};

/**
 * A temporary card is sold when it is first used: the sale is posted for the VNO and counts for the operator who made the card. The card is
 * in use already, so a collection limit cannot refuse it. From now on its package is paid, so a change of package refunds the unused part.
 */
export const sellFirstUsed = async (db: Db, used: readonly FirstUse[], now: number) => {
  for (const card of await cardsOf(db, used)) {
    const { id, account, name, account_source, device_id, device_group_id } = card;
    await postSale(
      db,
      { agent_id: card.agent_id, customer_id: card.seller_id, operator: card.seller ?? card.producer ?? 'system' },
      {
        cause: `temp_card:${id}`,
        channel: 'counter',
        expense_type: 'open',
        pay_method: 'cash',
        income: card.price,
        buyer: { id, account, name, account_type: 'temp_card', account_source, device_id, device_group_id },
        package: { id: card.package_id, name: card.package_name },
        bind_name: card.bind_name,
        ignoresLimit: true,
      },
      now,
    );
    await sql`update holding set price = ${card.price}::numeric where id = ${card.holding}`.execute(db);
    await sql`update subscriber set is_unsold = false where id = ${id}`.execute(db);
  }
};
