import { isRecord } from '@farlink/contract/kit/values.ts';
import { vnoCalls, vnoList } from '@farlink/contract/vno/vno.ts';
import { lazy, Suspense, useState } from 'react';
import { openAs } from '../../kit/actions/open-as.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { preloadChunk } from '../../kit/net/preload-chunk.ts';

const loadCode = () => import('./code-dialog.tsx');
const CodeDialog = lazy(loadCode);

const VnoList = () => {
  const [code, setCode] = useState<string>();
  return (
    <>
      <ResourcePage
        page={vnoList}
        run={{
          login: (row) => openAs(vnoCalls.login, row.id),
          authorize: async (row, actions) => {
            // The code is shown only once, so its dialog is loaded before it is issued.
            await preloadChunk(loadCode);
            await actions.openForm('authorize', row, (reply) => setCode(isRecord(reply) ? String(reply.auth_code) : undefined));
          },
        }}
      />
      <Suspense>{code !== undefined && <CodeDialog code={code} onClose={() => setCode(undefined)} />}</Suspense>
    </>
  );
};
export default VnoList;
