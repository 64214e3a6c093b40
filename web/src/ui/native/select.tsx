import '../styles/plain-form.css';

interface NativeSelectProps {
  readonly id: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  /** Chosen where nothing is; without it something always is. */
  readonly none?: string | undefined;
  readonly isWrong?: boolean;
  readonly required?: boolean;
  readonly describedBy?: string | undefined;
  readonly label?: string | undefined;
}

/** One of several, by the browser's own control: it costs next to nothing, and the keyboard knows it. */
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
