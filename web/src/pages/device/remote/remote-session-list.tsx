import { remoteCalls, remoteHistory, remoteSession, remoteSessionActions } from '@farlink/contract/device/remote.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { lazy, Suspense, useState } from 'react';
import { EmbeddedList } from '../../../kit/list/embedded-list.tsx';

const Replay = lazy(() => import('./replay.tsx'));

const page = {
  key: 'remoteSessions',
  title: remoteHistory.label,
  list: remoteCalls.sessions,
  resource: remoteSession,
  actions: remoteSessionActions,
};

/** Remote sessions of this gateway: operator, service, duration and recording. */
const RemoteSessionList = ({ id }: { readonly id: number }) => {
  const [watched, setWatched] = useState<AnyRow>();
  return (
    <>
      <EmbeddedList page={page} params={{ device_id: id }} without={['device_name', 'sn']} run={{ replay: (row) => setWatched(row) }} />
      {watched && (
        <Suspense>
          <Replay session={watched} onClose={() => setWatched(undefined)} />
        </Suspense>
      )}
    </>
  );
};
export default RemoteSessionList;
