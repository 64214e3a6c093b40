import type { MenuEntry, MenuItem } from '../../ui/native/menu.tsx';
import { t } from '../chrome/lang.ts';
import { groupedOffers } from '../form/grouped-offers.ts';
import type { Offer } from './action-state.ts';

/** Properties of an offer as a button or menu item. */
export const menuItemOf = ({ action, refusal }: Offer) => ({
  label: t(action.label),
  danger: action.danger === true,
  refusal: refusal && t(refusal),
});

/** A group with one offer is shown as that offer. */
export const entriesOf = (offers: readonly Offer[], act: (key: string) => void): MenuEntry[] => {
  const itemOf = (offer: Offer): MenuItem => ({ ...menuItemOf(offer), key: offer.key, onSelect: () => act(offer.key) });
  return groupedOffers(offers).map(({ group, offers: [first, ...others] }): MenuEntry => {
    if (!group || others.length === 0) return itemOf(first);
    return { key: `group:${first.key}`, label: t(group), items: [first, ...others].map(itemOf) };
  });
};
