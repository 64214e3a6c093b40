import type { MenuEntry, MenuItem } from '../../ui/native/menu.tsx';
import { t } from '../chrome/lang.ts';
import { groupedOffers } from '../form/grouped-offers.ts';
import type { Offer } from './action-state.ts';

/** How an offer looks, as a button or as an item of a menu. */
export const menuItemOf = ({ action, refusal }: Offer) => ({
  label: t(action.label),
  danger: action.danger === true,
  refusal: refusal && t(refusal),
});

/** A group of one offer is shown as that offer. */
export const entriesOf = (offers: readonly Offer[], act: (key: string) => void): MenuEntry[] => {
  const itemOf = (offer: Offer): MenuItem => ({ ...menuItemOf(offer), key: offer.key, onPick: () => act(offer.key) });
  return groupedOffers(offers).map(({ group, offers: [first, ...others] }): MenuEntry => {
    if (!group || others.length === 0) return itemOf(first);
    return { key: `group:${first.key}`, label: t(group), items: [first, ...others].map(itemOf) };
  });
};
