import { fileLog, isUnfinished } from '@farlink/contract/file/file-log.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

const TaskDevices = lazy(() => import('./task-devices.tsx'));

/** Distribution tasks; polled while one is running. */
const FileLog = () => {
  const [shown, setShown] = useState<AnyRow>();
  usePollWhileRunning(fileLog.key, isUnfinished);
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
