import '../styles/plain-form.css';

interface RadioRowProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly describedBy?: string | undefined;
}

/** Radio buttons for two or three options. */
export const RadioRow = ({ id, label, value, options, onChange, describedBy }: RadioRowProps) => (
  <div id={id} className="radio-row" role="radiogroup" aria-label={label} aria-describedby={describedBy}>
    {options.map((o) => (
      <label key={o.value}>
        <input type="radio" name={id} checked={o.value === value} onChange={() => onChange(o.value)} />
        {o.label}
      </label>
    ))}
  </div>
);
