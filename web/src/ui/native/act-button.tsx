interface ActButtonProps {
  readonly label: string;
  /** The object of the action, so that screen readers can distinguish the buttons. */
  readonly of?: string;
  readonly danger?: boolean;
  /** Reason why it is disabled. It stays focusable, so that the reason can be read. */
  readonly refusal?: string | undefined;
  readonly onClick: () => void;
}

/** An action as a link in a row. */
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
