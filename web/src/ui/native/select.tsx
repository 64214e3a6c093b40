import '../styles/plain-form.css';

interface NativeSelectProps {
  readonly id: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  /** Label of the empty option; without it a value is required. */
  readonly none?: string | undefined;
  readonly isWrong?: boolean;
  readonly required?: boolean;
  readonly describedBy?: string | undefined;
  readonly label?: string | undefined;
}

/** A native select: fast, and with full keyboard support. */
export const NativeSelect = ({ id, value, options, onChange, none, isWrong, required, describedBy, label }: NativeSelectProps) => (
  <select
    id={id}
    className="native-select"
    value={value}
    data-none={value === '' || undefined}
    data-wrong={isWrong || undefined}
    aria-label={label}
    aria-invalid={isWrong || undefined}
    aria-required={required || undefined}
    aria-describedby={describedBy}
    onChange={(e) => onChange(e.target.value)}
  >
    {none !== undefined && <option value="">{none}</option>}
    {options.map((o) => (
      <option key={o.value} value={o.value}>
        {o.label}
      </option>
    ))}
  </select>
);
