interface SelectBoxProps {
  readonly label: string;
  readonly share: 'none' | 'some' | 'all';
  readonly onSet: (on: boolean) => void;
  /** There is nothing to select yet. */
  readonly isEmpty?: boolean;
}

/** Selects a row, or all rows of a page; the whole cell is the click target. */
export const SelectBox = ({ label, share, onSet, isEmpty = false }: SelectBoxProps) => (
  <label className="select-box">
    <input
      type="checkbox"
      aria-label={label}
      disabled={isEmpty}
      checked={share === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = share === 'some';
      }}
      onChange={(e) => onSet(e.target.checked)}
    />
  </label>
);
