import { useId } from 'react';
import './segmented-row.css';

interface SegmentedRowProps {
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly value: string;
  /** Shown if the value is not one of the options. */
  readonly otherwise?: string;
  readonly onSelect: (id: string) => void;
}

/** Lightweight joined radio buttons, because a page can have hundreds. */
export const SegmentedRow = ({ label, options, value, otherwise, onSelect }: SegmentedRowProps) => {
  const name = useId();
  return (
    <span className="segmented-row" role="radiogroup" aria-label={label}>
      {otherwise !== undefined && options.every((o) => o.id !== value) && <span className="muted">{otherwise}</span>}
      {options.map((o) => (
        <label key={o.id} data-on={o.id === value ? o.id : undefined}>
          <input type="radio" name={name} checked={o.id === value} onChange={() => onSelect(o.id)} />
          {o.label}
        </label>
      ))}
    </span>
  );
};
