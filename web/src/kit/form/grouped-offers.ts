import type { Text } from '@farlink/contract/kit/text.ts';
import type { Offer } from '../actions/action-state.ts';

/** One menu entry: a single offer, or several under their group name. */
export interface OfferGroup {
  readonly group?: Text | undefined;
  readonly offers: readonly [Offer, ...Offer[]];
}

/** Offers of one group share one entry, at the position of the first. */
export const groupedOffers = (offers: readonly Offer[]): OfferGroup[] => {
  const added = new Set<Text>();
  return offers.flatMap((offer): OfferGroup[] => {
    const { group } = offer.action;
    if (!group) return [{ offers: [offer] }];
    if (added.has(group)) return [];
    added.add(group);
    return [{ group, offers: [offer, ...offers.filter((other) => other !== offer && other.action.group === group)] }];
  });
};
