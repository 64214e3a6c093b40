interface TabRowProps {
  readonly tabs: readonly { readonly name: string; readonly label: string; readonly needed: boolean }[];
  readonly current: string;
  readonly onPick: (name: string) => void;
}

export const TabRow = ({ tabs, current, onPick }: TabRowProps) => (
  <div className="tab-row" role="tablist">
    {tabs.map(({ name, label, needed }) => (
      <button
        key={name}
        type="button"
        role="tab"
        aria-selected={name === current}
        className={needed ? 'needed' : undefined}
        onClick={() => onPick(name)}
      >
        {label}
      </button>
    ))}
  </div>
);
