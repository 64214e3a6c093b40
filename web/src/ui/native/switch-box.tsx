import '../styles/plain-form.css';

interface SwitchBoxProps {
  readonly id: string;
  readonly on: boolean;
  /** Text beside the switch for its current position. */
  readonly label: string;
  readonly onChange: (on: boolean) => void;
  readonly isWrong?: boolean;
  readonly describedBy?: string | undefined;
}

/** A switch; its accessible name is the field label. */
export const SwitchBox = ({ id, on, label, onChange, isWrong, describedBy }: SwitchBoxProps) => (
  <span className="switch-box" data-wrong={isWrong || undefined}>
    <input
      id={id}
      type="checkbox"
      role="switch"
      checked={on}
      aria-checked={on}
      aria-invalid={isWrong || undefined}
      aria-describedby={describedBy}
      onChange={(e) => onChange(e.target.checked)}
    />
    <span aria-hidden>{label}</span>
  </span>
);
