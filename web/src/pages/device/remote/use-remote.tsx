import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { openRemote } from '../../../kit/actions/open-remote.ts';
import type { Run } from '../../../kit/actions/use-page-actions.tsx';

const RemoteSessions = lazy(() => import('./remote-sessions.tsx'));

/** Handlers of the remote actions, and the open panel, for device pages. */
export const useRemote = (): { readonly run: Run; readonly open: ReactNode } => {
  const [device, setDevice] = useState<AnyRow>();
  return {
    run: {
      router: (row) => openRemote('router', row),
      ac: (row) => openRemote('ac', row),
      telnet: (row) => openRemote('telnet', row),
      antenna: (row) => openRemote('antenna', row),
      remoteHistory: (row) => setDevice(row),
    },
    open: device && (
      <Suspense>
        <RemoteSessions device={device} onClose={() => setDevice(undefined)} />
      </Suspense>
    ),
  };
};
