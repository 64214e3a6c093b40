import type { Page } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { t } from '../../kit/lang.ts';
import type { OpenGroup } from '../permitted.ts';

const trail: Text = ['当前位置', 'Breadcrumb'];

export const Breadcrumb = ({ groups, page }: { groups: readonly OpenGroup[]; page: Page | undefined }) => {
  // A page outside the menu belongs to the group that its path begins with.
  const group = page && groups.find((g) => page.route.startsWith(`${g.path}/`));
  return (
    <nav className="trail" aria-label={t(trail)}>
      <ol>
        {group && (
          <li>
            <Link to={group.path}>{t(group.title)}</Link>
          </li>
        )}
        {page && (
          <li aria-current="page">
            <h1>{t(page.title)}</h1>
          </li>
        )}
      </ol>
    </nav>
  );
};
