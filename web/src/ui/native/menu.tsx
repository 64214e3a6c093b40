import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ClosedIcon } from '../theme/icons.ts';

export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  /** Reason why it is disabled. */
  readonly refusal?: string | undefined;
  /** Shown as a tooltip. */
  readonly hint?: string;
  readonly onSelect: () => void;
}

/** Items in a submenu. */
export interface MenuGroup {
  readonly key: string;
  readonly label: string;
  readonly items: readonly MenuItem[];
}

export type MenuEntry = MenuItem | MenuGroup;

const isGroup = (entry: MenuEntry): entry is MenuGroup => 'items' in entry;

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Moves the focus within this level only. */
const handleKey = (e: KeyboardEvent<HTMLDivElement>) => {
  const step = steps[e.key];
  if (!step) return;
  e.preventDefault();
  e.stopPropagation();
  const menu = e.currentTarget;
  const all = [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')].filter((item) => item.closest('[role=menu]')?.isSameNode(menu));
  const at = all.findIndex((item) => item.isSameNode(document.activeElement));
  all[step(at, all.length)]?.focus();
};

interface ItemButtonProps {
  readonly item: MenuItem;
  readonly close: () => void;
  readonly onPoint?: () => void;
}

const ItemButton = ({ item, close, onPoint }: ItemButtonProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    className={item.danger ? 'menu-item danger' : 'menu-item'}
    aria-disabled={item.refusal !== undefined}
    aria-description={item.refusal ?? item.hint}
    title={item.refusal ?? item.hint}
    onMouseEnter={onPoint}
    onClick={() => {
      if (item.refusal !== undefined) return;
      close();
      item.onSelect();
    }}
  >
    {item.icon}
    {item.label}
  </button>
);

interface GroupProps {
  readonly group: MenuGroup;
  readonly isOpen: boolean;
  readonly setOpen: (on: boolean) => void;
  readonly close: () => void;
}

interface SubmenuProps extends Pick<GroupProps, 'group' | 'close'> {
  /** Opened by keyboard: the first item gets the focus. */
  readonly isEntered: boolean;
  readonly onBack: () => void;
}

/** A submenu beside its entry, within the window. It is in the top layer, because the scrolling menu would clip it. */
const Submenu = ({ group, close, isEntered, onBack }: SubmenuProps) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = box.current;
    const at = menu?.parentElement?.getBoundingClientRect();
    if (!menu || !at) return;
    menu.showPopover();
    const isLeft = at.left - menu.offsetWidth >= 8;
    const left = isLeft ? at.left - menu.offsetWidth : Math.min(at.right, innerWidth - menu.offsetWidth - 8);
    menu.style.left = `${Math.max(8, left)}px`;
    menu.style.top = `${Math.max(8, Math.min(at.top - 5, innerHeight - menu.offsetHeight - 8))}px`;
  }, []);
  useLayoutEffect(() => {
    if (isEntered) box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [isEntered]);
  const back = (e: KeyboardEvent<HTMLDivElement>) => {
    handleKey(e);
    if (e.key !== 'ArrowLeft' && e.key !== 'Escape') return;
    // The browser would close the whole menu.
    e.preventDefault();
    e.stopPropagation();
    onBack();
  };
  return (
    <div ref={box} popover="manual" className="popup" role="menu" aria-label={group.label} tabIndex={-1} onKeyDown={back}>
      {group.items.map((item) => (
        <ItemButton key={item.key} item={item} close={close} />
      ))}
    </div>
  );
};

const GroupEntry = ({ group, isOpen, setOpen, close }: GroupProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const [isEntered, setEntered] = useState(false);
  const enter = () => {
    setOpen(true);
    setEntered(true);
  };
  return (
    <div>
      <button
        ref={button}
        type="button"
        role="menuitem"
        tabIndex={-1}
        className="menu-item"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onMouseEnter={() => {
          setEntered(false);
          setOpen(true);
        }}
        // A click by keyboard has detail 0.
        onClick={(e) => (e.detail === 0 ? enter() : setOpen(true))}
        onKeyDown={(e) => e.key === 'ArrowRight' && enter()}
      >
        {group.label}
        <span className="spring" />
        <ClosedIcon className="small-icon" aria-hidden />
      </button>
      {isOpen && (
        <Submenu
          group={group}
          close={close}
          isEntered={isEntered}
          onBack={() => {
            setOpen(false);
            setEntered(false);
            button.current?.focus();
          }}
        />
      )}
    </div>
  );
};

interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly close: () => void;
}

/** A menu of items and groups; one group is open at a time. */
export const Menu = ({ label, entries, close }: MenuProps) => {
  const [open, setOpen] = useState<string>();
  return (
    <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={handleKey}>
      {entries.map((entry) =>
        isGroup(entry) ? (
          <GroupEntry
            key={entry.key}
            group={entry}
            isOpen={open === entry.key}
            setOpen={(on) => setOpen(on ? entry.key : undefined)}
            close={close}
          />
        ) : (
          <ItemButton key={entry.key} item={entry} close={close} onPoint={() => setOpen(undefined)} />
        ),
      )}
    </div>
  );
};
