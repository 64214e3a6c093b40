import type { ReactNode } from 'react';
import './callout.css';

interface CalloutProps {
  readonly tone: 'warning' | 'error' | 'success';
  readonly children: ReactNode;
}

/** A persistent line: a limitation of the page, or the result of an action. */
export const Callout = ({ tone, children }: CalloutProps) => (
  <div className="callout" data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <circle cx="8" cy="8" r="7" stroke="currentColor" strokeWidth="1.4" />
      {tone === 'success' ? (
        <path d="M5 8.2l2.1 2.1L11 6.2" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
      ) : (
        <path d="M8 4.5v4.2M8 11.2v.1" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      )}
    </svg>
    <div>{children}</div>
  </div>
);
