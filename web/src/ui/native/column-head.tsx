import type { PointerEvent } from 'react';
import { HelpIcon } from '../theme/icons.ts';

const minWidth = 64;

/** Drag handle at the right edge of a header. */
const Resizer = ({ width, onResize }: { readonly width: number; readonly onResize: (width: number) => void }) => {
  const start = (down: PointerEvent<HTMLSpanElement>) => {
    const grip = down.currentTarget;
    const real = grip.parentElement?.offsetWidth ?? width;
    grip.setPointerCapture(down.pointerId);
    const move = (e: globalThis.PointerEvent) => onResize(Math.max(minWidth, Math.round(real + e.clientX - down.clientX)));
    grip.addEventListener('pointermove', move);
    grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', move), { once: true });
  };
  return <span className="resizer" onPointerDown={start} />;
};

interface ColumnHeadProps {
  readonly label: string;
  readonly tips: string | undefined;
  readonly isRight: boolean;
  readonly sorted: 'ascending' | 'descending' | undefined;
  /** Without it the column is not sortable. */
  readonly onSort: (() => void) | undefined;
  readonly width: number;
  readonly onResize: (width: number) => void;
}

export const ColumnHead = ({ label, tips, isRight, sorted, onSort, width, onResize }: ColumnHeadProps) => (
  <th scope="col" className={isRight ? 'num' : undefined} aria-sort={sorted}>
    <span className="label">
      {onSort ? (
        <button type="button" className="sort" data-way={sorted} onClick={onSort}>
          <span className="clip">{label}</span>
        </button>
      ) : (
        <span className="clip">{label}</span>
      )}
      {tips && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the hint must be reachable without a mouse
        <span className="help" role="img" tabIndex={0} aria-label={tips} data-tip={tips}>
          <HelpIcon aria-hidden />
        </span>
      )}
    </span>
    <Resizer width={width} onResize={onResize} />
  </th>
);
