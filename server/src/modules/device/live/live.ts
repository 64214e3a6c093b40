import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { type liveCalls as calls, isLiveKind } from '@farlink/contract/device/live.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import type { Deps } from '../../../kit/deps.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { LiveClient } from './client.ts';
import { type LiveHub, openLiveHub } from './hub.ts';

/** One hub per process, opened with the first stream. */
const hubs = new WeakMap<Deps, LiveHub>();

export const liveHubOf = (deps: Deps): LiveHub => {
  const hub = hubs.get(deps) ?? openLiveHub(deps);
  hubs.set(deps, hub);
  return hub;
};

export const closeLive = async (deps: Deps) => hubs.get(deps)?.close();

/** No updates are sent for a device outside the scope of the session. */
export const openLive: Handler<typeof calls.open> = async (ctx, { ids, any, notices }) => {
  const kinds = (any ?? '').split(',').filter(isLiveKind);
  const viewer = { sessionId: ctx.sessionId, me: ctx.me, seesColumns: mayCall(deviceDetailCalls.read, ctx.me) };
  const client = new LiveClient(viewer, { ids: new Set(ids), any: new Set(kinds), notices: notices === true });
  await liveHubOf(ctx.deps).open(client);
  // Proxy buffering would delay the events.
  ctx.reply.header('x-accel-buffering', 'no');
  return new FileResponse({ body: client.stream, type: 'text/event-stream; charset=utf-8' });
};
