import type { ReactNode } from 'react';

/** An icon button; its label is a tooltip and is read by screen readers. */
export const IconButton = ({
  label,
  onClick,
  children,
}: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) => (
  <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
    {children}
  </button>
);
