import type { KeyboardEvent, PointerEvent } from 'react';

export interface BrushProps {
  /** First and last index of the selection. */
  readonly range: readonly [from: number, to: number];
  readonly length: number;
  readonly x: (index: number) => number;
  /** Index of the interval at a position from the left edge. */
  readonly indexAt: (x: number) => number;
  readonly labels: readonly [from: string, to: string];
  readonly text: (index: number) => string;
  readonly onChange: (from: number, to: number) => void;
  readonly onApply: () => void;
  readonly onCancel: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

/** Two handles below a chart. A drag or arrow keys move one, Enter applies the range, Escape cancels. */
export const Brush = ({ range: [from, to], length, x, indexAt, labels, text, onChange, onApply, onCancel }: BrushProps) => {
  const move = (e: KeyboardEvent, index: number, low: number, high: number, set: (next: number) => void) => {
    const next = { Home: low, End: high }[e.key] ?? (steps[e.key] === undefined ? undefined : index + (steps[e.key] ?? 0));
    if (next === undefined && e.key !== 'Enter' && e.key !== 'Escape') return;
    e.preventDefault();
    if (e.key === 'Enter') onApply();
    else if (e.key === 'Escape') onCancel();
    else if (next !== undefined) set(Math.max(low, Math.min(high, next)));
  };
  const drag = (e: PointerEvent, low: number, high: number, set: (next: number) => void) => {
    if (!e.currentTarget.hasPointerCapture(e.pointerId)) return;
    const { left = 0 } = e.currentTarget.parentElement?.getBoundingClientRect() ?? {};
    set(Math.max(low, Math.min(high, indexAt(e.clientX - left))));
  };
  const handles = [
    { label: labels[0], index: from, at: x(from), low: 0, high: to, set: (next: number) => onChange(next, to) },
    { label: labels[1], index: to, at: x(to + 1), low: from, high: length - 1, set: (next: number) => onChange(from, next) },
  ];
  return (
    <div className="brush">
      <span className="brush-range" style={{ left: x(from), width: Math.max(0, x(to + 1) - x(from)) }} />
      {handles.map(({ label, index, at, low, high, set }) => (
        <span
          key={label}
          className="brush-handle"
          style={{ left: at }}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={low}
          aria-valuemax={high}
          aria-valuenow={index}
          aria-valuetext={text(index)}
          onPointerDown={(e) => e.currentTarget.setPointerCapture(e.pointerId)}
          onPointerMove={(e) => drag(e, low, high, set)}
          onPointerUp={onApply}
          onKeyDown={(e) => move(e, index, low, high, set)}
        />
      ))}
    </div>
  );
};
