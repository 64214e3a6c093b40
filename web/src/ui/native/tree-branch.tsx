import { type ReactNode, useState } from 'react';
import { ClosedIcon } from '../theme/icons.ts';

interface TreeBranchProps {
  readonly className: string;
  readonly depth: number;
  readonly indent: number;
  /** What the button that opens it is called; none for a leaf. */
  readonly openLabel: string | undefined;
  /** Open at first, and open whatever the reader did, while a search shows its way. */
  readonly startsOpen?: boolean;
  readonly isForced: boolean;
  readonly isCurrent?: boolean;
  readonly head: ReactNode;
  /** Made only while open: a closed branch costs one line. */
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
          <span className="twist" />
        ) : (
          <button type="button" className="twist" aria-expanded={isOpen} aria-label={openLabel} onClick={() => setOpen(!open)}>
            <ClosedIcon rotate={isOpen ? 90 : 0} aria-hidden />
          </button>
        )}
        {head}
      </div>
      {isOpen && openLabel !== undefined && <ul className="plain-list">{children()}</ul>}
    </li>
  );
};
