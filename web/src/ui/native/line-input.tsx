import type { ReactNode } from 'react';
import '../styles/plain-form.css';

interface LineInputProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onLeave?: () => void;
  /** Unit or bounds at the end of the input. */
  readonly suffix?: ReactNode;
  /** Longer text is marked, never cut. */
  readonly max?: number | undefined;
  readonly length?: number;
  readonly inputMode?: 'numeric' | 'decimal' | undefined;
  readonly type?: 'text' | 'password' | 'search';
  readonly isMono?: boolean;
  readonly isWrong?: boolean;
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly label?: string | undefined;
}

/** A lightweight text input, because a page has dozens of them. */
export const LineInput = (props: LineInputProps) => {
  const { id, value, onChange, onLeave, suffix, max, length = value.length, inputMode, type = 'text', isMono, isWrong, required } = props;
  return (
    <span className="line-input" data-wrong={isWrong || undefined}>
      <input
        id={id}
        type={type}
        className={isMono ? 'mono' : undefined}
        value={value}
        inputMode={inputMode}
        placeholder={props.placeholder}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        spellCheck={false}
        aria-label={props.label}
        aria-invalid={isWrong || undefined}
        aria-required={required || undefined}
        aria-describedby={props.describedBy}
        onChange={(e) => onChange(e.target.value)}
        onBlur={onLeave}
      />
      {max !== undefined && (
        <span className="small line-count" data-over={length > max || undefined} aria-hidden>
          {length}/{max}
        </span>
      )}
      {suffix && <span className="muted small line-suffix">{suffix}</span>}
    </span>
  );
};
