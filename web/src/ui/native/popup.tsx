import { type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';

interface PopupProps {
  readonly className: string;
  readonly label: string;
  readonly tip?: string;
  readonly haspopup: 'menu' | 'dialog';
  readonly icon: ReactNode;
  /** Expected height: without enough space below it opens upwards, or as far down as it fits. */
  readonly height: number;
  /** -1 in a row outside the tab order. */
  readonly tabIndex?: number | undefined;
  /** Rendered on open, so that many closed ones cost nothing. */
  readonly children: (close: () => void) => ReactNode;
}

/** React also sends the toggle events of inner popovers, such as a submenu. */
const isInner = (e: ToggleEvent<HTMLDivElement>) => !e.currentTarget.isSameNode(e.target instanceof Node ? e.target : null);

/** A button with a popover. The browser closes it on Esc or an outside click, and restores the focus. */
export const Popup = ({ className, label, tip, haspopup, icon, height, tabIndex, children }: PopupProps) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const positionPopup = (e: ToggleEvent<HTMLDivElement>) => {
    const at = button.current?.getBoundingClientRect();
    if (isInner(e) || e.newState !== 'open' || !at) return;
    setOpen(true);
    const { style } = e.currentTarget;
    const up = at.bottom + height + 8 > innerHeight && at.top > height;
    style.right = `${Math.max(8, document.documentElement.clientWidth - at.right)}px`;
    style.top = up ? 'auto' : `${Math.max(8, Math.min(at.bottom + 4, innerHeight - height - 8))}px`;
    style.bottom = up ? `${innerHeight - at.top + 4}px` : 'auto';
  };
  const handleToggle = (e: ToggleEvent<HTMLDivElement>) => {
    if (isInner(e)) return;
    // Cleared after closing, because the browser restores the focus from the open content.
    if (e.newState === 'closed') setOpen(false);
    else e.currentTarget.querySelector<HTMLElement>('[role=menuitem], input, button')?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        tabIndex={tabIndex}
        popoverTarget={id}
        aria-label={label}
        aria-haspopup={haspopup}
        aria-expanded={isOpen}
        title={tip}
      >
        {icon}
      </button>
      <div ref={box} id={id} popover="auto" className="popup" onBeforeToggle={positionPopup} onToggle={handleToggle}>
        {isOpen && children(() => box.current?.hidePopover())}
      </div>
    </>
  );
};
