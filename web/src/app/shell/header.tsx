import { agentMode } from '@farlink/contract/choices.ts';
import type { Head } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/lang.ts';
import { FoldIcon, UnfoldIcon } from '../../ui/shell-icons.ts';
import { Tag } from '../../ui/tag.tsx';
import { useIdentity } from '../identity.ts';
import type { OpenGroup } from '../permitted.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { CommandPalette } from './command-palette.tsx';
import { LanguageSelect } from './language-select.tsx';
import { ThemeSelect } from './theme-select.tsx';
import { UserMenu } from './user-menu.tsx';

const fold: Text = ['收起菜单', 'Collapse the menu'];
const unfold: Text = ['展开菜单', 'Expand the menu'];

const coexist = 3;

/** spec §1: 1 front, 2 focus, 4 UY, any other value coexist. */
const modeOf = (mode: number) => agentMode.find((m) => m.id === mode) ?? agentMode.find((m) => m.id === coexist);

const Operator = () => {
  const { agent_name, agent_mode } = useIdentity().session;
  const mode = modeOf(agent_mode);
  return (
    <div className="operator">
      <span title={agent_name}>{agent_name}</span>
      {mode && <Tag color={mode.color}>{t(mode.label)}</Tag>}
    </div>
  );
};

interface HeaderProps {
  readonly groups: readonly OpenGroup[];
  readonly page: Head | undefined;
  readonly parent: Head | undefined;
  readonly addressOf: (page: Head) => string;
  readonly collapsed: boolean;
  readonly onCollapse: () => void;
  readonly onOpen: (page: Head) => void;
}

export const Header = ({ groups, page, parent, addressOf, collapsed, onCollapse, onOpen }: HeaderProps) => {
  const label = t(collapsed ? unfold : fold);
  return (
    <header className="head">
      <button type="button" className="icon-button" aria-label={label} title={label} onClick={onCollapse}>
        {collapsed ? <UnfoldIcon aria-hidden /> : <FoldIcon aria-hidden />}
      </button>
      <Breadcrumb groups={groups} page={page} parent={parent} addressOf={addressOf} />
      <CommandPalette groups={groups} page={page} onOpen={onOpen} />
      <Operator />
      <LanguageSelect />
      <ThemeSelect />
      <UserMenu />
    </header>
  );
};
