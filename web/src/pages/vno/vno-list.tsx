import { vnoCalls, vnoList } from '@farlink/contract/vno/vno.ts';
import { lazy, Suspense, useState } from 'react';
import { enterAs } from '../../kit/enter-as.ts';
import { fetchPart } from '../../kit/fetch-part.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import { isObject } from '../../kit/wire.ts';

const loadCode = () => import('./code-dialog.tsx');
const CodeDialog = lazy(loadCode);

const VnoList = () => {
  const [code, setCode] = useState<string>();
  return (
    <>
      <ResourcePage
        page={vnoList}
        run={{
          login: (row) => enterAs(vnoCalls.login, row.id),
          authorize: async (row, desk) => {
            // A code that shows once is not issued before there is something to show it.
            await fetchPart(loadCode);
            await desk.openForm('authorize', row, (answer) => setCode(isObject(answer) ? String(answer.auth_code) : undefined));
          },
        }}
      />
      <Suspense>{code !== undefined && <CodeDialog code={code} onClose={() => setCode(undefined)} />}</Suspense>
    </>
  );
};
export default VnoList;
