import { Input } from 'antd';
import { useState } from 'react';

interface Item {
  readonly value: number;
  readonly label: string;
}

interface TwoPanesProps {
  readonly id: string;
  readonly items: readonly Item[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: number[]) => void;
  readonly words: {
    readonly search: string;
    readonly offered: string;
    readonly chosen: string;
    readonly all: string;
    readonly clear: string;
    readonly none: string;
    readonly more: (count: number) => string;
    readonly further: string;
  };
  /** Called with what is typed where the caller finds the items for it. */
  readonly onSearch?: ((typed: string) => void) | undefined;
  /** Present where `items` are not all there are: chooses them all. */
  readonly onAll?: (() => void) | undefined;
}

/** Beyond this nobody reads on; the search narrows it. */
const shownAtOnce = 200;

interface PaneProps {
  readonly title: string;
  readonly action: string;
  readonly items: readonly Item[];
  readonly onAll: () => void;
  readonly onPick: (value: number) => void;
  readonly sign: string;
  readonly further?: string | undefined;
  readonly words: TwoPanesProps['words'];
}

const Pane = ({ title, action, items, onAll, onPick, sign, further, words }: PaneProps) => (
  <div className="pane">
    <div className="pane-head">
      <span>
        {title} {items.length}
      </span>
      <button type="button" className="act" onClick={onAll}>
        {action}
      </button>
    </div>
    <ul>
      {items.slice(0, shownAtOnce).map((item) => (
        <li key={item.value}>
          <button type="button" onClick={() => onPick(item.value)}>
            <span className="clip">{item.label}</span>
            <span aria-hidden="true">{sign}</span>
          </button>
        </li>
      ))}
      {items.length === 0 && <li className="muted">{words.none}</li>}
      {items.length > shownAtOnce && <li className="muted">{words.more(items.length - shownAtOnce)}</li>}
      {further !== undefined && items.length <= shownAtOnce && <li className="muted">{further}</li>}
    </ul>
  </div>
);

/** What is offered on the left, what is chosen on the right. */
export const TwoPanes = ({ id, items, chosen, onChange, words, onSearch, onAll }: TwoPanesProps) => {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const known = new Map(items.map((item) => [item.value, item]));
  const taken = new Set(chosen);
  const offered = items.filter((item) => !taken.has(item.value) && item.label.toLowerCase().includes(wanted));
  return (
    <div>
      <Input
        id={id}
        allowClear
        value={search}
        placeholder={words.search}
        onChange={(e) => {
          setSearch(e.target.value);
          onSearch?.(e.target.value);
        }}
        onPressEnter={(e) => e.preventDefault()}
      />
      <div className="panes">
        <Pane
          title={words.offered}
          action={words.all}
          items={offered}
          onAll={onAll ?? (() => onChange([...chosen, ...offered.map((item) => item.value)]))}
          further={onAll && words.further}
          onPick={(value) => onChange([...chosen, value])}
          sign="＋"
          words={words}
        />
        <Pane
          title={words.chosen}
          action={words.clear}
          items={chosen.map((value) => known.get(value) ?? { value, label: `#${value}` })}
          onAll={() => onChange([])}
          onPick={(value) => onChange(chosen.filter((v) => v !== value))}
          sign="×"
          words={words}
        />
      </div>
    </div>
  );
};
