import { Switch } from 'antd';

/** A small switch with its label. */
export const Toggle = ({ label, on, onSet }: { readonly label: string; readonly on: boolean; readonly onSet: (on: boolean) => void }) => (
  <span className="toggle">
    <Switch size="small" checked={on} onChange={onSet} aria-label={label} /> {label}
  </span>
);
