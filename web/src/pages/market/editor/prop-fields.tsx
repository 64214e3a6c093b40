import type { Text } from '@farlink/contract/kit/text.ts';
import { useId } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { errorId, FieldFrame } from '../../../ui/native/field-frame.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { SegmentedRow } from '../../../ui/native/segmented-row.tsx';

const nothing = () => undefined;

interface LineFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly max: number;
  readonly fault: Text | undefined;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly onChange: (value: string) => void;
}

export const LineField = ({ name, label, value, max, fault, placeholder, hint, onChange }: LineFieldProps) => {
  const id = useId();
  return (
    <div data-field={name}>
      <FieldFrame id={id} kind="text" label={label} tips={undefined} needed={false} error={fault && t(fault)} onLeave={nothing}>
        <LineInput
          id={id}
          value={value}
          max={max}
          placeholder={placeholder}
          isWrong={fault !== undefined}
          describedBy={fault && errorId(id)}
          onChange={onChange}
        />
        {hint && <span className="hint">{hint}</span>}
      </FieldFrame>
    </div>
  );
};

interface ChoiceFieldProps<V extends string | number> {
  readonly name: string;
  readonly label: string;
  readonly value: V;
  readonly options: readonly (readonly [value: V, label: Text])[];
  readonly onChange: (value: V) => void;
}

/** A few values as joined buttons. */
export const ChoiceField = <V extends string | number>({ name, label, value, options, onChange }: ChoiceFieldProps<V>) => (
  <div className="field" data-field={name}>
    <span className="field-label">{label}</span>
    <div>
      <SegmentedRow
        label={label}
        value={String(value)}
        otherwise=""
        options={options.map(([id, name]) => ({ id: String(id), label: t(name) }))}
        onSelect={(selected) => {
          const found = options.find(([id]) => String(id) === selected);
          if (found) onChange(found[0]);
        }}
      />
    </div>
  </div>
);
