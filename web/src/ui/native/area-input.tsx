import '../styles/plain-form.css';

interface AreaInputProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onLeave?: () => void;
  readonly isMono?: boolean;
  readonly isWrong?: boolean;
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly label?: string | undefined;
  /** Minimum number of visible lines; it grows with the input up to a limit. */
  readonly rows?: number;
}

/** A multi-line text input. */
export const AreaInput = ({
  id,
  value,
  onChange,
  onLeave,
  isMono,
  isWrong,
  required,
  placeholder,
  describedBy,
  label,
  rows = 2,
}: AreaInputProps) => (
  <textarea
    id={id}
    className={isMono ? 'area-input mono' : 'area-input'}
    data-wrong={isWrong || undefined}
    value={value}
    rows={rows}
    placeholder={placeholder}
    spellCheck={false}
    aria-label={label}
    aria-invalid={isWrong || undefined}
    aria-required={required || undefined}
    aria-describedby={describedBy}
    onChange={(e) => onChange(e.target.value)}
    onBlur={onLeave}
  />
);
