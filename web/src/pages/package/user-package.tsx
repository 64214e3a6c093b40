import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { userPackage } from '@farlink/contract/user/user-package.ts';
import { useState } from 'react';
import { batchOf } from '../../kit/batch.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

/** The accounts behind the chosen packages, each once. */
const usersOf = (rows: readonly AnyRow[]): AnyRow[] => [
  ...new Map(rows.map((row) => [Number(row.user_id), { ...row, id: Number(row.user_id) }])).values(),
];

const UserPackage = () => {
  const [turn, setTurn] = useState(0);
  // The answer is about users, so the list cannot tell which of its rows are done: when all are, it starts with none chosen.
  const then = (answer: unknown) => {
    if (batchOf(answer)?.fail === 0) setTurn(turn + 1);
  };
  return (
    <ResourcePage
      key={turn}
      page={userPackage}
      run={{
        changePackage: (_, desk, rows) => desk.openForm('changePackage', usersOf(rows), then),
        addPackage: (row, desk) => desk.openForm('addPackage', usersOf([row])),
      }}
    />
  );
};
export default UserPackage;
