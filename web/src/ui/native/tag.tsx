import type { ReactNode } from 'react';

interface TagProps {
  readonly color?: string | undefined;
  readonly children: ReactNode;
}

export const Tag = ({ color, children }: TagProps) => <span className={`tag hue-${color ?? 'default'}`}>{children}</span>;

/** A state as a colored dot with its label. */
export const Point = ({ color, children }: TagProps) => <span className={`point hue-${color ?? 'default'}`}>{children}</span>;
