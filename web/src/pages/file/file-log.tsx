import { fileLog, isGoing } from '@farlink/contract/file/file-task.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { lazy, Suspense, useState } from 'react';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-desk.tsx';
import { useNews } from '../../kit/use-news.ts';

const TaskDevices = lazy(() => import('./task-devices.tsx'));

/** What was sent to devices, asked for anew while something is under way. */
const FileLog = () => {
  const [shown, setShown] = useState<AnyRow>();
  useNews(fileLog.key, isGoing);
  const run: Run = { detail: setShown };
  return (
    <>
      <ResourcePage page={fileLog} run={run} />
      {shown && (
        <Suspense>
          <TaskDevices task={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  );
};
export default FileLog;
