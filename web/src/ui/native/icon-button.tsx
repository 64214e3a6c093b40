import type { ReactNode } from 'react';

/** A bare icon that acts; its word is said on hover and to screen readers. */
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
