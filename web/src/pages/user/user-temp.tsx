import type { Text } from '@farlink/contract/kit/text.ts';
import { userTemp } from '@farlink/contract/user/temp-card.ts';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/lang.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-desk.tsx';
import { isRow } from '../../kit/wire.ts';
import { Button } from '../../ui/button.ts';
import { OpeningView } from './opening-view.tsx';

const close: Text = ['关闭', 'Close'];

/** Cards that are made are shown once with their passwords, as a list to be fetched. */
const UserTemp = () => {
  const [made, setMade] = useState<number>();
  const run: Run = {
    create: (_, desk) => desk.openForm('create', [], (answer) => isRow(answer) && setMade(answer.id)),
  };
  const hide = () => setMade(undefined);
  return (
    <>
      <ResourcePage page={userTemp} run={run} />
      {made !== undefined && (
        <Dialog open title={t(userTemp.forms.create.title)} width={640} onClose={hide} footer={<Button onClick={hide}>{t(close)}</Button>}>
          <OpeningView id={made} />
        </Dialog>
      )}
    </>
  );
};
export default UserTemp;
