import type { Head } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { useNarrow } from '../../ui/browser/use-media.ts';
import { FoldIcon, MenuIcon, UnfoldIcon } from '../../ui/theme/shell-icons.ts';
import type { OpenGroup } from '../permitted.ts';
import { AnnouncementBell } from './announcement-bell.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { CommandPalette } from './command-palette.tsx';
import { LanguageSelect } from './language-select.tsx';
import { Operator } from './operator.tsx';
import { ThemeSelect } from './theme-select.tsx';
import { UserMenu } from './user-menu.tsx';

const collapseMenu: Text = ['收起菜单', 'Collapse the menu'];
const expandMenu: Text = ['展开菜单', 'Expand the menu'];
const openMenu: Text = ['打开菜单', 'Open the menu'];

interface HeaderProps {
  readonly groups: readonly OpenGroup[];
  readonly page: Head | undefined;
  readonly parent: Head | undefined;
  readonly addressOf: (page: Head) => string;
  readonly collapsed: boolean;
  readonly onCollapse: () => void;
  /** Opens the menu drawer. */
  readonly onMenu: () => void;
  readonly onOpen: (page: Head) => void;
}

export const Header = ({ groups, page, parent, addressOf, collapsed, onCollapse, onMenu, onOpen }: HeaderProps) => {
  const isNarrow = useNarrow();
  const label = t(isNarrow ? openMenu : collapsed ? expandMenu : collapseMenu);
  const Icon = isNarrow ? MenuIcon : collapsed ? UnfoldIcon : FoldIcon;
  return (
    <header className="head">
      <button
        type="button"
        className="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup={isNarrow ? 'dialog' : undefined}
        onClick={isNarrow ? onMenu : onCollapse}
      >
        <Icon aria-hidden />
      </button>
      <Breadcrumb groups={groups} page={page} parent={parent} addressOf={addressOf} />
      <CommandPalette groups={groups} page={page} onOpen={onOpen} />
      <AnnouncementBell />
      {!isNarrow && (
        <>
          <Operator />
          <LanguageSelect />
          <ThemeSelect />
        </>
      )}
      <UserMenu />
    </header>
  );
};
