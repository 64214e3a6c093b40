import { priceText } from '@farlink/contract/kit/money.ts';
import { fill, say } from '@farlink/contract/kit/text.ts';
import type { PayWay } from '@farlink/portal/view.ts';
import { availableBalances } from '../domain/ledger/available-balance.ts';
import { channelLines } from './public-data.ts';
import type { SubscriberRow } from './subscriber.ts';
import { texts } from './texts.ts';
import type { Visit } from './visit.ts';

/** Ways to pay a price: the balance if it covers the price, else its part with the rest by a channel; and each channel alone. */
export const payWays = async ({ deps, lang }: Visit, { id, agent_id }: SubscriberRow, price: bigint): Promise<PayWay[]> => {
  const channels = await channelLines(deps, agent_id, lang);
  const available = (await availableBalances(deps.db, [id])).get(id) ?? 0n;
  if (available <= 0n || price === 0n) return channels;
  if (available >= price) return [{ id: 'balance', name: say(fill(texts.fromBalance, priceText(available)), lang) }, ...channels];
  const part = priceText(available);
  const rest = priceText(price - available);
  const mixed = channels.map(({ id: channel, name }) => ({
    id: channel,
    name: say(fill(texts.withBalance, part, name, rest), lang),
    part: true,
  }));
  return [...mixed, ...channels];
};
