interface CheckListProps {
  readonly items: readonly { readonly name: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (names: string[]) => void;
  /** The last checked item cannot be unchecked. */
  readonly needsOne?: boolean;
}

export const CheckList = ({ items, chosen, onChange, needsOne = false }: CheckListProps) => (
  <div className="check-grid">
    {items.map(({ name, label }) => (
      <label key={name} className="check">
        <input
          type="checkbox"
          checked={chosen.includes(name)}
          disabled={needsOne && chosen.length === 1 && chosen[0] === name}
          onChange={(e) => onChange(e.target.checked ? [...chosen, name] : chosen.filter((n) => n !== name))}
        />
        <span className="clip">{label}</span>
      </label>
    ))}
  </div>
);
