import { t } from '../../kit/chrome/lang.ts';
import { menuIcons } from '../../ui/theme/menu-icons.ts';
import { OpenIcon } from '../../ui/theme/shell-icons.ts';
import type { OpenGroup } from '../permitted.ts';

export const GroupIcon = ({ group }: { group: OpenGroup }) => {
  const Icon = menuIcons[group.icon];
  return <span className="muted side-icon">{Icon && <Icon aria-hidden />}</span>;
};

export const GroupLabel = ({ group }: { group: OpenGroup }) => (
  <>
    <GroupIcon group={group} />
    <span className="grow cut" title={t(group.title)}>
      {t(group.title)}
    </span>
    <OpenIcon className="side-arrow" aria-hidden />
  </>
);
