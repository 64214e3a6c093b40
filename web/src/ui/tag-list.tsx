import { Tag } from './tag.tsx';

const shown = 2;

/** The first ones, and how many more; all of them on hover. */
export const TagList = ({ values }: { readonly values: readonly string[] }) => (
  <span className="tags" data-tip={values.length > shown ? values.join(', ') : undefined}>
    {values.slice(0, shown).map((value) => (
      <Tag key={value}>{value}</Tag>
    ))}
    {values.length > shown && <span className="muted">+{values.length - shown}</span>}
  </span>
);
