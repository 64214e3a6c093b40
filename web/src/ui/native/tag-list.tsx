import type { ReactNode } from 'react';
import { Tag } from './tag.tsx';

interface TagListProps {
  readonly tags: readonly {
    readonly label: string;
    readonly color?: string | undefined;
    /** Renders the label as a link. */
    readonly link?: ((label: string) => ReactNode) | undefined;
  }[];
  /** Shows all tags in full, on several lines. */
  readonly isExpanded?: boolean;
}

const shown = 2;
/** Number of characters that always fit. */
const short = 14;

/** The first tags and the number of others; the tooltip shows all. */
export const TagList = ({ tags, isExpanded = false }: TagListProps) => {
  const first = isExpanded ? tags : tags.slice(0, shown);
  const isCut = !isExpanded && (tags.length > shown || tags.some(({ label }) => label.length > short));
  return (
    <span className={isExpanded ? 'tags wrap' : 'tags'} data-tip={isCut ? tags.map(({ label }) => label).join(', ') : undefined}>
      {first.map(({ label, color, link }) => (
        <Tag key={label} color={color} tip={isExpanded || isCut ? undefined : ''}>
          {link ? link(label) : label}
        </Tag>
      ))}
      {tags.length > first.length && <span className="muted">+{tags.length - first.length}</span>}
    </span>
  );
};
