import { userTemp } from '@farlink/contract/user/temp-card.ts';
import { useState } from 'react';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-desk.tsx';
import { isRow } from '../../kit/wire.ts';
import { OpeningDialog } from './opening-dialog.tsx';

/** Cards that are made are shown once with their passwords, as a list to be fetched. */
const UserTemp = () => {
  const [made, setMade] = useState<number>();
  const run: Run = {
    create: (_, desk) => desk.openForm('create', [], (answer) => isRow(answer) && setMade(answer.id)),
  };
  return (
    <>
      <ResourcePage page={userTemp} run={run} />
      {made !== undefined && <OpeningDialog id={made} title={userTemp.forms.create.title} onClose={() => setMade(undefined)} />}
    </>
  );
};
export default UserTemp;
