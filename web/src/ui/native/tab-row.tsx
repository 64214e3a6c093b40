import type { KeyboardEvent } from 'react';
import './tab-row.css';

interface TabRowProps {
  readonly tabs: readonly { readonly name: string; readonly label: string; readonly needed?: boolean }[];
  readonly current: string;
  readonly onSelect: (name: string) => void;
  /** Id of the tab panel. */
  readonly controls?: string;
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Roving focus: Tab enters the row once, the arrow keys move between tabs. */
const handleKey = (e: KeyboardEvent<HTMLElement>) => {
  const step = steps[e.key];
  if (step === undefined) return;
  e.preventDefault();
  const all = [...e.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = all.findIndex((tab) => tab.ariaSelected === 'true');
  const next = all[(at + step + all.length) % all.length];
  next?.focus();
  next?.click();
};

export const TabRow = ({ tabs, current, onSelect, controls }: TabRowProps) => (
  <div className="tab-row" role="tablist" tabIndex={-1} onKeyDown={handleKey}>
    {tabs.map(({ name, label, needed = false }) => (
      <button
        key={name}
        type="button"
        role="tab"
        tabIndex={name === current ? 0 : -1}
        aria-selected={name === current}
        aria-controls={controls}
        className={needed ? 'needed' : undefined}
        onClick={() => onSelect(name)}
      >
        {label}
      </button>
    ))}
  </div>
);
