import { remoteCalls as calls } from '@farlink/contract/device/remote.ts';
import { bindAll } from '../../../kit/http/serve.ts';
import { openRemote } from './open-remote.ts';
import { closeSession, listRequests, listSessions, readSession, replaySession } from './sessions.ts';

export const remoteBindings = [
  ...bindAll(calls, {
    router: openRemote('router'),
    ac: openRemote('ac'),
    antenna: openRemote('antenna'),
    telnet: openRemote('telnet'),
    sessions: listSessions,
    read: readSession,
    requests: listRequests,
    close: closeSession,
    replay: replaySession,
  }),
];
