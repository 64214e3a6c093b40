import type { Text } from '@farlink/contract/kit/text.ts';
import { type KeyboardEvent, useId, useState } from 'react';
import { NativeSelect } from '../../ui/native/select.tsx';
import { t } from '../chrome/lang.ts';
import { pageNumbers } from './page-numbers.ts';
import '../../ui/styles/pages.css';

const texts = {
  previous: ['上一页', 'Previous Page'],
  next: ['下一页', 'Next Page'],
  sizes: ['每页条数', 'Rows per page'],
  size: ['{0} 条/页', '{0} / page'],
  goTo: ['跳至', 'Go to'],
  page: ['页', ''],
} as const satisfies Record<string, Text>;

interface PagesProps {
  readonly current: number;
  readonly size: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  readonly sizes?: readonly number[];
  readonly onSize?: (size: number) => void;
  readonly hasJumper?: boolean;
  /** Shows only the current page and the last one. */
  readonly isShort?: boolean;
}

interface JumperProps {
  readonly last: number;
  readonly onPage: (page: number) => void;
}

const Jumper = ({ last, onPage }: JumperProps) => {
  const [typed, setTyped] = useState('');
  const jump = () => {
    if (typed !== '') onPage(Math.min(Math.max(Number(typed), 1), last));
    setTyped('');
  };
  const handleKey = (e: KeyboardEvent) => e.key === 'Enter' && jump();
  return (
    <label className="row pages-jump">
      {t(texts.goTo)}
      <input
        value={typed}
        inputMode="numeric"
        autoComplete="off"
        onChange={(e) => setTyped(e.target.value.replace(/\D/g, '').slice(0, 9))}
        onKeyDown={handleKey}
        onBlur={jump}
      />
      {t(texts.page)}
    </label>
  );
};

/** Previous, page numbers, next, sizes, and an input to jump to a page (spec §9). */
export const Pages = ({ current, size, total, onPage, sizes, onSize, hasJumper = false, isShort = false }: PagesProps) => {
  const id = useId();
  const last = Math.ceil(total / size);
  const numbers = pageNumbers(current, last);
  return (
    <div className="pages">
      <ul className="row">
        <li>
          <button
            type="button"
            title={t(texts.previous)}
            aria-label={t(texts.previous)}
            disabled={current <= 1}
            onClick={() => onPage(current - 1)}
          >
            ‹
          </button>
        </li>
        {isShort ? (
          <li>
            {current} / {Math.max(1, last)}
          </li>
        ) : (
          numbers.map((n, i) => (
            <li key={n} data-gap={n - (numbers[i - 1] ?? n) > 1 || undefined}>
              <button
                type="button"
                className="page-number"
                title={String(n)}
                aria-current={n === current ? 'page' : undefined}
                onClick={() => onPage(n)}
              >
                {n}
              </button>
            </li>
          ))
        )}
        <li>
          <button
            type="button"
            title={t(texts.next)}
            aria-label={t(texts.next)}
            disabled={current >= last}
            onClick={() => onPage(current + 1)}
          >
            ›
          </button>
        </li>
      </ul>
      {sizes && onSize && (
        <NativeSelect
          id={id}
          label={t(texts.sizes)}
          value={String(size)}
          options={sizes.map((n) => ({ value: String(n), label: t(texts.size, n) }))}
          onChange={(next) => onSize(Number(next))}
        />
      )}
      {hasJumper && <Jumper last={Math.max(1, last)} onPage={onPage} />}
    </div>
  );
};
