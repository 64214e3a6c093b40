import { useState } from 'react';
import { Input } from './input.ts';

interface Item {
  readonly value: number;
  readonly label: string;
}

interface TransferListProps {
  readonly id: string;
  readonly items: readonly Item[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: number[]) => void;
  readonly texts: {
    readonly search: string;
    readonly offered: string;
    readonly chosen: string;
    readonly all: string;
    readonly clear: string;
    readonly none: string;
    readonly more: (count: number) => string;
    readonly moreNote: string;
  };
  /** Called with the input if the caller searches the items. */
  readonly onSearch?: ((typed: string) => void) | undefined;
  /** Set if `items` is incomplete: chooses all items. */
  readonly onAll?: (() => void) | undefined;
}

/** Display limit; the search narrows the list. */
const maxShown = 200;

interface PaneProps {
  readonly title: string;
  readonly action: string;
  readonly items: readonly Item[];
  readonly onAll: () => void;
  readonly onSelect: (value: number) => void;
  readonly symbol: string;
  readonly moreNote?: string | undefined;
  readonly texts: TransferListProps['texts'];
}

const Pane = ({ title, action, items, onAll, onSelect, symbol, moreNote, texts }: PaneProps) => (
  <div className="box pane">
    <div className="muted small pane-head">
      <span>
        {title} {items.length}
      </span>
      <button type="button" className="act" onClick={onAll}>
        {action}
      </button>
    </div>
    <ul>
      {items.slice(0, maxShown).map((item) => (
        <li key={item.value}>
          <button type="button" onClick={() => onSelect(item.value)}>
            <span className="clip">{item.label}</span>
            <span aria-hidden="true">{symbol}</span>
          </button>
        </li>
      ))}
      {items.length === 0 && <li className="muted">{texts.none}</li>}
      {items.length > maxShown && <li className="muted">{texts.more(items.length - maxShown)}</li>}
      {moreNote !== undefined && items.length <= maxShown && <li className="muted">{moreNote}</li>}
    </ul>
  </div>
);

/** Available items on the left, chosen items on the right. */
export const TransferList = ({ id, items, chosen, onChange, texts, onSearch, onAll }: TransferListProps) => {
  const [search, setSearch] = useState('');
  const searchText = search.trim().toLowerCase();
  const known = new Map(items.map((item) => [item.value, item]));
  const taken = new Set(chosen);
  const offered = items.filter((item) => !taken.has(item.value) && item.label.toLowerCase().includes(searchText));
  return (
    <div>
      <Input
        id={id}
        allowClear
        value={search}
        placeholder={texts.search}
        onChange={(e) => {
          setSearch(e.target.value);
          onSearch?.(e.target.value);
        }}
        onPressEnter={(e) => e.preventDefault()}
      />
      <div className="columns narrow panes">
        <Pane
          title={texts.offered}
          action={texts.all}
          items={offered}
          onAll={onAll ?? (() => onChange([...chosen, ...offered.map((item) => item.value)]))}
          moreNote={onAll && texts.moreNote}
          onSelect={(value) => onChange([...chosen, value])}
          symbol="＋"
          texts={texts}
        />
        <Pane
          title={texts.chosen}
          action={texts.clear}
          items={chosen.map((value) => known.get(value) ?? { value, label: `#${value}` })}
          onAll={() => onChange([])}
          onSelect={(value) => onChange(chosen.filter((v) => v !== value))}
          symbol="×"
          texts={texts}
        />
      </div>
    </div>
  );
};
