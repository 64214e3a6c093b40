import './object-list.css';

interface ObjectListProps {
  /** Above the names. */
  readonly title: string;
  readonly names: readonly string[];
  readonly skippedTitle?: string;
  readonly skipped?: readonly { readonly id: number; readonly name: string; readonly why: string }[];
}

/** What an action is for, by name, and what it leaves out, with the reason. */
export const ObjectList = ({ title, names, skippedTitle, skipped = [] }: ObjectListProps) => (
  <div className="object-list">
    <p>{title}</p>
    {names.length > 1 && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      <ul tabIndex={0} aria-label={title}>
        {names.map((name, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat and never move
          <li key={i}>{name}</li>
        ))}
      </ul>
    )}
    {skipped.length > 0 && (
      <>
        <p className="object-skipped">{skippedTitle}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
        <ul tabIndex={0} aria-label={skippedTitle} className="object-reasons">
          {skipped.map(({ id, name, why }) => (
            <li key={id}>
              <span>{name}</span> <span className="muted">{why}</span>
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);
