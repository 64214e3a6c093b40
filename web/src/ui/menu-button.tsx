import type { KeyboardEvent, ReactNode } from 'react';
import { Popup } from './popup.tsx';

interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  /** Why it cannot be chosen. */
  readonly refusal?: string | undefined;
  readonly onPick: () => void;
}

interface MenuButtonProps {
  readonly className: string;
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Stands above the items and is no item. */
  readonly heading?: ReactNode;
  readonly children: ReactNode;
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const walk = (e: KeyboardEvent<HTMLDivElement>) => {
  const step = steps[e.key];
  if (!step) return;
  e.preventDefault();
  const all = [...e.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = all.findIndex((item) => item.isSameNode(document.activeElement));
  all[step(at, all.length)]?.focus();
};

export const MenuButton = ({ className, label, items, heading, children }: MenuButtonProps) => (
  <Popup className={className} label={label} haspopup="menu" icon={children} height={items.length * 32 + (heading ? 60 : 12)}>
    {(close) => (
      <>
        {heading}
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={walk}>
          {items.map((item) => (
            <button
              key={item.key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={item.danger ? 'menu-item danger' : 'menu-item'}
              aria-disabled={item.refusal !== undefined}
              aria-description={item.refusal}
              title={item.refusal}
              onClick={() => {
                if (item.refusal !== undefined) return;
                close();
                item.onPick();
              }}
            >
              {item.icon}
              {item.label}
            </button>
          ))}
        </div>
      </>
    )}
  </Popup>
);
