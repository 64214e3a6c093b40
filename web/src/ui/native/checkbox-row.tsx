import '../styles/plain-form.css';

interface CheckboxRowProps<V> {
  readonly id: string;
  readonly label: string;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly chosen: readonly V[];
  readonly onChange: (chosen: V[]) => void;
  readonly describedBy?: string | undefined;
}

/** Checkboxes in a wrapping row; the chosen values keep the option order. */
export const CheckboxRow = <V extends string | number>({ id, label, options, chosen, onChange, describedBy }: CheckboxRowProps<V>) => {
  const set = (value: V, on: boolean) =>
    onChange(options.map((o) => o.value).filter((each) => (each === value ? on : chosen.includes(each))));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field label already names it
    <div id={id} className="checkbox-row" role="group" aria-label={label} aria-describedby={describedBy}>
      {options.map((o) => (
        <label key={o.value} data-on={chosen.includes(o.value) || undefined}>
          <input type="checkbox" checked={chosen.includes(o.value)} onChange={(e) => set(o.value, e.target.checked)} />
          {o.label}
        </label>
      ))}
    </div>
  );
};
