import { remoteCalls as calls } from '@farlink/contract/device/remote.ts';
import { bind } from '../../../kit/http/serve.ts';
import { openRemote } from './open-remote.ts';
import { closeSession, listRequests, listSessions, readSession, replaySession } from './sessions.ts';

export const remoteBindings = [
  bind(calls.router, openRemote('router')),
  bind(calls.ac, openRemote('ac')),
  bind(calls.antenna, openRemote('antenna')),
  bind(calls.telnet, openRemote('telnet')),
  bind(calls.sessions, listSessions),
  bind(calls.read, readSession),
  bind(calls.requests, listRequests),
  bind(calls.close, closeSession),
  bind(calls.replay, replaySession),
];
