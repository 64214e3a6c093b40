import type { Head } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import type { OpenGroup } from '../permitted.ts';

const trail: Text = ['当前位置', 'Breadcrumb'];

interface BreadcrumbProps {
  readonly groups: readonly OpenGroup[];
  readonly page: Head | undefined;
  /** The menu page that it belongs to. */
  readonly parent: Head | undefined;
  /** Last URL of a page. */
  readonly addressOf: (page: Head) => string;
}

export const Breadcrumb = ({ groups, page, parent, addressOf }: BreadcrumbProps) => {
  // A page without a parent in the menu belongs to the group with its path prefix.
  const group =
    groups.find((g) => g.pages.some((p) => p.key === parent?.key)) ?? (page && groups.find((g) => page.route.startsWith(`${g.path}/`)));
  return (
    <nav className="grow trail" aria-label={t(trail)}>
      <ol>
        {group && (
          <li className="trail-group">
            <Link to={group.path}>{t(group.title)}</Link>
          </li>
        )}
        {parent && parent.key !== page?.key && (
          <li className="trail-parent">
            <Link to={addressOf(parent)}>{t(parent.title)}</Link>
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
