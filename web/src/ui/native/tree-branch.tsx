import { type ReactNode, useState } from 'react';
import { ClosedIcon } from '../theme/icons.ts';

interface TreeBranchProps {
  readonly className: string;
  readonly depth: number;
  readonly indent: number;
  /** Label of the expand button; undefined for a leaf. */
  readonly openLabel: string | undefined;
  /** Expanded at first; `isForced` expands it during a search. */
  readonly startsOpen?: boolean;
  readonly isForced: boolean;
  readonly isCurrent?: boolean;
  readonly head: ReactNode;
  /** Rendered only while expanded. */
  readonly children: () => ReactNode;
}

export const TreeBranch = ({
  className,
  depth,
  indent,
  openLabel,
  startsOpen = false,
  isForced,
  isCurrent,
  head,
  children,
}: TreeBranchProps) => {
  const [open, setOpen] = useState(startsOpen);
  const isOpen = open || isForced;
  return (
    <li>
      <div className={className} data-depth={depth} data-on={isCurrent} style={{ paddingLeft: depth * indent }}>
        {openLabel === undefined ? (
          <span className="muted tree-toggle" />
        ) : (
          <button type="button" className="muted tree-toggle" aria-expanded={isOpen} aria-label={openLabel} onClick={() => setOpen(!open)}>
            <ClosedIcon rotate={isOpen ? 90 : 0} aria-hidden />
          </button>
        )}
        {head}
      </div>
      {isOpen && openLabel !== undefined && <ul>{children()}</ul>}
    </li>
  );
};
