import type { Text } from '@farlink/contract/kit/text.ts';
import { dayNames } from '@farlink/contract/kit/value-text.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { CheckboxRow } from '../../ui/native/checkbox-row.tsx';
import { t } from '../chrome/lang.ts';

const shortcuts: readonly { readonly label: Text; readonly days: readonly number[] }[] = [
  { label: ['每天', 'Every day'], days: [1, 2, 3, 4, 5, 6, 7] },
  { label: ['工作日', 'Workdays'], days: [1, 2, 3, 4, 5] },
  { label: ['周末', 'Weekend'], days: [6, 7] },
];

interface WeekdayRowProps {
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly describedBy: string | undefined;
}

/** Days of the week, Monday first. */
export const WeekdayRow = ({ id, label, value, onChange, describedBy }: WeekdayRowProps) => (
  <div className="weekday-row">
    <CheckboxRow
      id={id}
      label={label}
      options={dayNames.map((name, i) => ({ value: i + 1, label: t(name) }))}
      chosen={Array.isArray(value) ? value.map(Number) : []}
      onChange={onChange}
      describedBy={describedBy}
    />
    <span className="row-actions">
      {shortcuts.map(({ label: text, days }) => (
        <ActButton key={text[1]} label={t(text)} of={label} onClick={() => onChange([...days])} />
      ))}
    </span>
  </div>
);
