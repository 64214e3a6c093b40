import { Button } from './button.tsx';

interface ActionButtonProps {
  readonly label: string;
  readonly isPrimary?: boolean;
  readonly danger?: boolean;
  /** Reason why it is disabled. It stays focusable, so that the reason can be read. */
  readonly refusal?: string | undefined;
  readonly onClick: () => void;
}

/** An action as a toolbar button. */
export const ActionButton = ({ label, isPrimary = false, danger = false, refusal, onClick }: ActionButtonProps) => (
  <Button
    kind={isPrimary ? 'primary' : 'default'}
    danger={danger && refusal === undefined}
    aria-disabled={refusal !== undefined}
    aria-description={refusal}
    data-tip={refusal}
    onClick={() => refusal === undefined && onClick()}
  >
    {label}
  </Button>
);
