import { userList } from '@farlink/contract/user/user-list.ts';
import { useState } from 'react';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-page-actions.tsx';
import { isRow } from '../../kit/wire.ts';
import { OpeningDialog } from './opening-dialog.tsx';

/** After an import its result is shown over the list. */
const UserList = () => {
  const [imported, setImported] = useState<number>();
  const run: Run = {
    import: (_, actions) => actions.openForm('import', [], (reply) => isRow(reply) && setImported(reply.id)),
  };
  return (
    <>
      <ResourcePage page={userList} run={run} />
      {imported !== undefined && <OpeningDialog id={imported} title={userList.forms.import.title} onClose={() => setImported(undefined)} />}
    </>
  );
};
export default UserList;
