import { userTemp } from '@farlink/contract/user/user-temp.ts';
import { useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { isRow } from '../../kit/net/wire.ts';
import { OpeningDialog } from './opening-dialog.tsx';

/** New cards are shown once with their passwords, as a downloadable list. */
const UserTemp = () => {
  const [made, setMade] = useState<number>();
  const run: Run = {
    create: (_, actions) => actions.openForm('create', [], (reply) => isRow(reply) && setMade(reply.id)),
  };
  return (
    <>
      <ResourcePage page={userTemp} run={run} />
      {made !== undefined && <OpeningDialog id={made} title={userTemp.forms.create.title} onClose={() => setMade(undefined)} />}
    </>
  );
};
export default UserTemp;
