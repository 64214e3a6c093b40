interface ActButtonProps {
  readonly label: string;
  /** What it is about, so that a screen reader can tell one "Edit" from another. */
  readonly of?: string;
  readonly danger?: boolean;
  /** Why it cannot be used. It stays reachable, so that the reason can be read. */
  readonly refusal?: string | undefined;
  readonly onClick: () => void;
}

/** A deed as a link in a row. */
export const ActButton = ({ label, of, danger = false, refusal, onClick }: ActButtonProps) => (
  <button
    type="button"
    className={danger ? 'act danger' : 'act'}
    aria-disabled={refusal !== undefined}
    aria-label={of && `${label} ${of}`}
    aria-description={refusal}
    data-tip={refusal}
    onClick={() => refusal === undefined && onClick()}
  >
    {label}
  </button>
);
