import { useId } from 'react';
import { Switch } from './switch.ts';

interface ToggleProps {
  readonly label: string;
  readonly on: boolean;
  readonly onSet: (on: boolean) => void;
}

/** A small switch with its label, which toggles it too. */
export const Toggle = ({ label, on, onSet }: ToggleProps) => {
  const id = useId();
  return (
    <span className="toggle">
      <Switch id={id} size="small" checked={on} onChange={onSet} /> <label htmlFor={id}>{label}</label>
    </span>
  );
};
