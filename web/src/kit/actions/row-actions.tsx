import type { Action } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { textWidth } from '../../ui/format.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { MenuButton } from '../../ui/native/menu-button.tsx';
import { DotsIcon, MoreIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';
import { entriesOf, menuItemOf } from './action-menu.ts';
import type { Offer } from './action-state.ts';

const more: Text = ['更多', 'More'];
const inLine = 2;

interface RowActionsProps {
  readonly offers: readonly Offer[];
  readonly act: (key: string) => void;
  /** Name of the row, so that screen readers can distinguish the buttons. */
  readonly of: string;
  /** All actions in a menu behind an icon. */
  readonly isMenu: boolean;
}

/** At most two links; the rest is in a menu with the name of the row. */
export const RowActions = ({ offers, act, of, isMenu }: RowActionsProps) => {
  const count = isMenu ? 0 : inLine;
  return (
    <span className="row-actions">
      {offers.slice(0, count).map((offer) => (
        <ActButton key={offer.key} {...menuItemOf(offer)} of={of} onClick={() => act(offer.key)} />
      ))}
      {offers.length > count && (
        <MenuButton
          className={isMenu ? 'icon-button' : 'act'}
          label={`${t(more)} ${of}`}
          heading={<p className="menu-heading clip">{of}</p>}
          items={entriesOf(offers.slice(count), act)}
        >
          {isMenu ? (
            <DotsIcon aria-hidden />
          ) : (
            <>
              {t(more)} <MoreIcon className="small-icon" aria-hidden />
            </>
          )}
        </MenuButton>
      )}
    </span>
  );
};

/** Width of a column with one icon per row. */
export const actionMenuWidth = 52;

export const actionsWidth = (actions: readonly Action[]): number => {
  if (actions.length === 0) return 0;
  const labels = [...actions.slice(0, inLine).map((a) => t(a.label)), ...(actions.length > inLine ? [`${t(more)} ▾`] : [])];
  // Not narrower than the column header.
  return Math.max(86, Math.ceil(labels.reduce((sum, label) => sum + textWidth(label) + 14, 24)));
};
