import { Input } from './input.ts';

interface ColorInputProps {
  readonly id: string;
  readonly value: string;
  /** Label of the color picker; the text input has the field label. */
  readonly pickerLabel: string;
  readonly status: 'error' | undefined;
  readonly describedBy: string | undefined;
  readonly onChange: (value: string) => void;
}

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** A color entered as #RRGGBB, or chosen with the browser's picker. */
export const ColorInput = ({ id, value, pickerLabel, status, describedBy, onChange }: ColorInputProps) => (
  <span className="row color-input">
    <input
      type="color"
      aria-label={pickerLabel}
      value={isColor(value) ? value.toLowerCase() : '#000000'}
      onChange={(e) => onChange(e.target.value.toUpperCase())}
    />
    <Input
      id={id}
      className="mono"
      value={value}
      status={status}
      aria-invalid={status === 'error'}
      aria-describedby={describedBy}
      autoComplete="off"
      onChange={(e) => onChange(e.target.value.trim())}
    />
  </span>
);
