import type { Text } from '@farlink/contract/kit/text.ts';
import { userList } from '@farlink/contract/user/user-list.ts';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/lang.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-desk.tsx';
import { isRow } from '../../kit/wire.ts';
import { Button } from '../../ui/button.ts';
import { OpeningView } from './opening-view.tsx';

const close: Text = ['关闭', 'Close'];

/** All accounts. What became of an import is told row by row, also while it still runs. */
const UserList = () => {
  const [imported, setImported] = useState<number>();
  const hide = () => setImported(undefined);
  const run: Run = { import: (_, desk) => desk.openForm('import', [], (answer) => isRow(answer) && setImported(answer.id)) };
  return (
    <>
      <ResourcePage page={userList} run={run} />
      {imported !== undefined && (
        <Dialog open title={t(userList.forms.import.title)} width={640} onClose={hide} footer={<Button onClick={hide}>{t(close)}</Button>}>
          <OpeningView id={imported} />
        </Dialog>
      )}
    </>
  );
};
export default UserList;
