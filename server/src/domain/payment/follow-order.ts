import type { Deps } from '../../kit/deps.ts';
import { bookPayment, type OrderRow } from './book.ts';
import { loadChannel } from './provider-of.ts';

const endOrder = (deps: Deps, id: number, state: 'expired' | 'withdrawn') =>
  deps.db.updateTable('pay_order').set({ state }).where('id', '=', id).where('state', '=', 'waiting').execute();

/** Queries the provider for a waiting order and updates it. */
export const followOrder = async (deps: Deps, order: OrderRow) => {
  const { row, provider } = await loadChannel(deps, order.channel_id);
  const trade = await provider.query(order.order_no);
  if (trade.state === 'paid') return bookPayment(deps, row, { ...trade, order_no: order.order_no });
  if (trade.state !== 'waiting') return endOrder(deps, order.id, trade.state);
  if (order.expire_at <= deps.clock.now()) await endOrder(deps, order.id, 'expired');
};
