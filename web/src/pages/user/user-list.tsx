import { userList } from '@farlink/contract/user/user-list.ts';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { isRow } from '../../kit/net/wire.ts';

const OpeningDialog = lazy(async () => ({ default: (await import('./opening-dialog.tsx')).OpeningDialog }));

/** After an import its result is shown over the list. */
const UserList = () => {
  const [imported, setImported] = useState<number>();
  const run: Run = {
    import: (_, actions) => actions.openForm('import', [], (reply) => isRow(reply) && setImported(reply.id)),
  };
  return (
    <>
      <ResourcePage page={userList} run={run} />
      <Suspense>
        {imported !== undefined && (
          <OpeningDialog id={imported} title={userList.forms.import.title} onClose={() => setImported(undefined)} />
        )}
      </Suspense>
    </>
  );
};
export default UserList;
