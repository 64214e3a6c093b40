interface SelectBoxProps {
  readonly label: string;
  readonly share: 'none' | 'some' | 'all';
  readonly onSet: (on: boolean) => void;
}

/** Selects a row, or all rows of a page; the whole cell is the click target. */
export const SelectBox = ({ label, share, onSet }: SelectBoxProps) => (
  <label className="select-box">
    <input
      type="checkbox"
      aria-label={label}
      checked={share === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = share === 'some';
      }}
      onChange={(e) => onSet(e.target.checked)}
    />
  </label>
);
