import type { ReactNode } from 'react';
import { Menu, type MenuEntry } from './menu.tsx';
import { Popup } from './popup.tsx';

interface MenuButtonProps {
  readonly className: string;
  readonly label: string;
  readonly items: readonly MenuEntry[];
  /** Above the items; not an item itself. */
  readonly heading?: ReactNode;
  readonly tabIndex?: number | undefined;
  readonly children: ReactNode;
}

export const MenuButton = ({ className, label, items, heading, tabIndex, children }: MenuButtonProps) => (
  <Popup
    className={className}
    label={label}
    haspopup="menu"
    icon={children}
    height={items.length * 32 + (heading ? 60 : 12)}
    tabIndex={tabIndex}
  >
    {(close) => (
      <>
        {heading}
        <Menu label={label} entries={items} close={close} />
      </>
    )}
  </Popup>
);
