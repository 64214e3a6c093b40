import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ReactNode;
}

/** An empty or failed list: what happened, why, and the next step. */
export const EmptyState = ({ title, hint, children }: EmptyStateProps) => (
  <div className="empty-state">
    <svg viewBox="0 0 64 40" width="72" height="45" aria-hidden="true">
      <rect x="1" y="1" width="62" height="38" rx="5" fill="none" stroke="var(--line)" strokeWidth="1.5" />
      <path d="M1 11h62M10 20h22M10 28h14M42 20h12M42 28h12" stroke="var(--line)" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
    <strong>{title}</strong>
    {hint && <span className="muted">{hint}</span>}
    {children && <div>{children}</div>}
  </div>
);
