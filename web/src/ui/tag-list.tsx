import type { ReactNode } from 'react';
import { Tag } from './tag.tsx';

interface TagListProps {
  readonly tags: readonly {
    readonly label: string;
    readonly color?: string | undefined;
    /** Makes a link of the label. */
    readonly link?: ((label: string) => ReactNode) | undefined;
  }[];
}

const shown = 2;
/** Characters that surely fit. */
const short = 14;

/** The first ones, and how many more; all of them on hover. */
export const TagList = ({ tags }: TagListProps) => (
  <span
    className="tags"
    data-tip={tags.length > shown || tags.some(({ label }) => label.length > short) ? tags.map(({ label }) => label).join(', ') : undefined}
  >
    {tags.slice(0, shown).map(({ label, color, link }) => (
      <Tag key={label} color={color}>
        {link ? link(label) : label}
      </Tag>
    ))}
    {tags.length > shown && <span className="muted">+{tags.length - shown}</span>}
  </span>
);
