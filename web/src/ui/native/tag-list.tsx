import type { ReactNode } from 'react';
import { Tag } from './tag.tsx';

interface TagListProps {
  readonly tags: readonly {
    readonly label: string;
    readonly color?: string | undefined;
    /** Makes a link of the label. */
    readonly link?: ((label: string) => ReactNode) | undefined;
  }[];
  /** All of them, each in full, in as many lines as that takes. */
  readonly isWhole?: boolean;
}

const shown = 2;
/** Characters that surely fit. */
const short = 14;

/** The first ones, and how many more; all of them on hover. */
export const TagList = ({ tags, isWhole = false }: TagListProps) => {
  const first = isWhole ? tags : tags.slice(0, shown);
  const isCut = !isWhole && (tags.length > shown || tags.some(({ label }) => label.length > short));
  return (
    <span className={isWhole ? 'tags wrap' : 'tags'} data-tip={isCut ? tags.map(({ label }) => label).join(', ') : undefined}>
      {first.map(({ label, color, link }) => (
        <Tag key={label} color={color}>
          {link ? link(label) : label}
        </Tag>
      ))}
      {tags.length > first.length && <span className="muted">+{tags.length - first.length}</span>}
    </span>
  );
};
