import type { ReactNode } from 'react';

interface TagProps {
  readonly color?: string | undefined;
  readonly children: ReactNode;
  /** Tooltip; an empty one shows the label if it is cut. */
  readonly tip?: string | undefined;
}

export const Tag = ({ color, children, tip }: TagProps) => (
  <span className={`tag hue-${color ?? 'default'}`} data-tip={tip}>
    {children}
  </span>
);

/** A state as a colored dot with its label. */
export const Point = ({ color, children }: Omit<TagProps, 'tip'>) => <span className={`point hue-${color ?? 'default'}`}>{children}</span>;
