import './object-list.css';

interface ObjectListProps {
  /** Title above the names. */
  readonly title: string;
  readonly names: readonly string[];
  readonly skippedTitle?: string;
  readonly skipped?: readonly { readonly id: number; readonly name: string; readonly why: string }[];
}

/** The objects of an action by name, and the skipped ones with their reasons. */
export const ObjectList = ({ title, names, skippedTitle, skipped = [] }: ObjectListProps) => (
  <div className="object-list">
    <p>{title}</p>
    {names.length > 1 && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      <ul tabIndex={0} aria-label={title}>
        {names.map((name, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat and never move
          <li key={i}>{name}</li>
        ))}
      </ul>
    )}
    {skipped.length > 0 && (
      <>
        <p className="object-skipped">{skippedTitle}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
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
