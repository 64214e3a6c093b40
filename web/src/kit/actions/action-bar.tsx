import type { Action } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { ActionButton } from '../../ui/native/action-button.tsx';
import { MenuButton } from '../../ui/native/menu-button.tsx';
import { MoreIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';
import { entriesOf, menuItemOf } from './action-menu.ts';
import { isBatch, type Offer } from './action-state.ts';
import { countThatFit } from './fit-buttons.ts';

const more: Text = ['更多', 'More'];

interface ActionBarProps {
  readonly offers: readonly Offer[];
  readonly act: (key: string) => void;
  readonly availableWidth: number;
}

/** In a toolbar only the action that adds something is emphasised. */
const isMain = (action: Action) =>
  !isBatch(action) && (action.on !== 'toolbar' || action.call?.kind === 'create' || action.to !== undefined);

/** Actions as buttons, as many as fit; the rest is behind "more". The first is the primary one, if any. */
export const ActionBar = ({ offers, act, availableWidth }: ActionBarProps) => {
  const count = countThatFit(
    offers.map(({ action }) => t(action.label)),
    availableWidth,
  );
  return (
    <>
      {offers.slice(0, count).map((offer, i) => (
        <ActionButton key={offer.key} {...menuItemOf(offer)} isPrimary={i === 0 && isMain(offer.action)} onClick={() => act(offer.key)} />
      ))}
      {count < offers.length && (
        <MenuButton className="button more-button" label={t(more)} items={entriesOf(offers.slice(count), act)}>
          {t(more)} <MoreIcon className="small-icon" aria-hidden />
        </MenuButton>
      )}
    </>
  );
};
