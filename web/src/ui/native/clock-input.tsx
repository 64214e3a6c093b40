import type { KeyboardEvent } from 'react';
import { clockPlus, clockText } from './clock-text.ts';
import '../styles/plain-form.css';

interface ClockInputProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isWrong?: boolean;
  readonly required?: boolean;
  readonly describedBy?: string | undefined;
}

const steps: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** A time of day with 24 hours in every language; the arrow keys change the hours or minutes at the caret. */
export const ClockInput = ({ id, value, onChange, isWrong, required, describedBy }: ClockInputProps) => {
  const onArrow = (e: KeyboardEvent<HTMLInputElement>) => {
    const step = steps[e.key];
    if (step === undefined) return;
    e.preventDefault();
    const box = e.currentTarget;
    const at = box.selectionStart ?? 0;
    onChange(clockPlus(clockText(value), at <= 2 ? step * 60 : step));
    requestAnimationFrame(() => box.setSelectionRange(at, at));
  };
  return (
    <span className="line-input clock" data-wrong={isWrong || undefined}>
      <input
        id={id}
        className="mono"
        value={value}
        placeholder="HH:MM"
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        aria-required={required || undefined}
        aria-describedby={describedBy}
        onChange={(e) => onChange(e.target.value)}
        onKeyDown={onArrow}
        onBlur={() => value !== clockText(value) && onChange(clockText(value))}
      />
    </span>
  );
};
