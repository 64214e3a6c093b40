import type { ComponentProps, ReactNode } from 'react';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly kind?: 'default' | 'primary' | 'dashed' | 'link' | 'text';
  readonly size?: 'small' | undefined;
  readonly danger?: boolean;
  /** Ignores clicks, and keeps the focus. */
  readonly loading?: boolean;
  readonly icon?: ReactNode;
}

/** A button without the component library, because each page has one. */
export const Button = ({
  kind = 'default',
  size,
  danger = false,
  loading = false,
  icon,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className="button"
    data-kind={kind}
    data-size={size}
    data-danger={danger || undefined}
    data-icon-only={children === undefined || undefined}
    aria-busy={loading || undefined}
    onClick={(event) => {
      if (loading) event.preventDefault();
      else onClick?.(event);
    }}
  >
    {loading ? <i className="button-wait" aria-hidden /> : icon}
    {children}
  </button>
);
