import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { openAs } from '../../kit/actions/open-as.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import type { ListPage } from '../../kit/list/use-list.ts';

/** Sub-accounts and job numbers, with login as the account. */
export const SubAccountPage = ({ page }: { readonly page: ListPage }) => (
  <ResourcePage page={page} run={{ login: (row) => openAs(staffCalls.login, row.id) }} />
);
