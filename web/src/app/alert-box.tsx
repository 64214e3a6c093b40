import type { ReactNode } from 'react';

interface AlertBoxProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action?: string;
  readonly onAction?: () => void;
  readonly isFullPage?: boolean;
}

const focus = (button: HTMLButtonElement | null) => button?.focus();

/** A box in place of a page: what happened, and the next step. */
export const AlertBox = ({ title, text, action, onAction, isFullPage }: AlertBoxProps) => {
  const Tag = isFullPage ? 'main' : 'div';
  return (
    <Tag className="stack alert-page">
      <section className="alert-box" role="alert" aria-labelledby="alert-title">
        <svg width="36" height="36" viewBox="0 0 36 36" fill="none" aria-hidden="true">
          <circle cx="18" cy="18" r="17" stroke="currentColor" strokeWidth="1.5" opacity="0.35" />
          <path d="M18 10v10" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
          <circle cx="18" cy="25.5" r="1.6" fill="currentColor" />
        </svg>
        <h1 id="alert-title">{title}</h1>
        {text !== undefined && <p className="muted">{text}</p>}
        {action !== undefined && (
          <button type="button" className="solid" ref={focus} onClick={onAction}>
            {action}
          </button>
        )}
      </section>
    </Tag>
  );
};
