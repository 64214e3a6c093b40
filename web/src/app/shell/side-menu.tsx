import type { Head } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { BrandMark } from '../brand.tsx';
import type { OpenGroup } from '../permitted.ts';
import { Flyout } from './flyout.tsx';
import { GroupLabel } from './group-label.tsx';
import { PageLinks } from './page-links.tsx';

const mainMenu: Text = ['主菜单', 'Main menu'];

const Logo = ({ collapsed }: { collapsed: boolean }) => (
  <div className="row side-logo">
    <BrandMark size={28} isShort={collapsed} />
  </div>
);

interface SideMenuProps {
  readonly groups: readonly OpenGroup[];
  readonly page: Head | undefined;
  readonly collapsed: boolean;
  readonly onOpen: (page: Head) => void;
}

export const SideMenu = ({ groups, page, collapsed, onOpen }: SideMenuProps) => {
  const current = groups.find((g) => g.pages.some((p) => p.key === page?.key))?.key;
  // The group of the current page is open. Manual changes last until the operator opens a page of another group.
  const [expanded, setExpanded] = useState<Readonly<Record<string, boolean>>>({});
  const [shown, setShown] = useState(current);
  if (current !== shown) {
    setShown(current);
    if (current) setExpanded({ ...expanded, [current]: true });
  }
  const isOpen = (key: string) => expanded[key] ?? key === current;

  return (
    <aside className="column side">
      <Logo collapsed={collapsed} />
      <nav aria-label={t(mainMenu)}>
        <ul className="side-groups">
          {groups.map((group) => (
            <li key={group.key}>
              {collapsed ? (
                <Flyout group={group} page={page} current={group.key === current} onOpen={onOpen} />
              ) : (
                <>
                  <button
                    type="button"
                    className="row side-group"
                    data-current={group.key === current || undefined}
                    aria-expanded={isOpen(group.key)}
                    onClick={() => setExpanded({ ...expanded, [group.key]: !isOpen(group.key) })}
                  >
                    <GroupLabel group={group} />
                  </button>
                  {isOpen(group.key) && <PageLinks group={group} page={page} onOpen={onOpen} />}
                </>
              )}
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  );
};
