import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { userPackage } from '@farlink/contract/package/user-package.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

/** The distinct accounts of the selected packages. Calls return results by account, so each has the ids of its list rows. */
const usersOf = (rows: readonly AnyRow[]): AnyRow[] => {
  const idOf = (row: AnyRow) => Number(row.user_id);
  const users = new Map(rows.map((row) => [idOf(row), row]));
  return [...users].map(([id, row]) => ({ ...row, id, list_ids: rows.filter((one) => idOf(one) === id).map((one) => one.id) }));
};

const UserPackage = () => (
  <ResourcePage
    page={userPackage}
    run={{
      changePackage: (_, actions, rows) => actions.openForm('changePackage', usersOf(rows)),
      addPackage: (row, actions) => actions.openForm('addPackage', usersOf([row])),
    }}
  />
);
export default UserPackage;
