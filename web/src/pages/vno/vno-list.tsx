import { vnoCalls, vnoList } from '@farlink/contract/vno/vno.ts';
import { lazy, Suspense, useState } from 'react';
import { enterAs } from '../../kit/enter-as.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import { isObject } from '../../kit/wire.ts';

const CodeDialog = lazy(() => import('./code-dialog.tsx'));

const VnoList = () => {
  const [code, setCode] = useState<string>();
  return (
    <>
      <ResourcePage
        page={vnoList}
        run={{
          login: (row) => enterAs(vnoCalls.login, row.id),
          authorize: (row, desk) =>
            desk.openForm('authorize', row, (answer) => setCode(isObject(answer) ? String(answer.auth_code) : undefined)),
        }}
      />
      <Suspense>{code !== undefined && <CodeDialog code={code} onClose={() => setCode(undefined)} />}</Suspense>
    </>
  );
};
export default VnoList;
