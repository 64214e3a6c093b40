import type { Handover } from '@farlink/gateway/protocol/portal.ts';
import { seedOf } from '../random.ts';
import { sessionOf } from './client-view.ts';
import { forwardRequest, TooLarge } from './forward-request.ts';
import { type ClientReply, isReachable, offlineReply, type PortalContext, secureHeaders, textReply, type Visit } from './visit.ts';

/** Address of a terminal without a session. */
const addressOf = (mac: string) => `192.168.8.${2 + ((seedOf(mac, 3) >>> 0) % 250)}`;

export const handoverOf = ({ gateway }: Pick<PortalContext, 'gateway'>, mac: string): Handover => {
  const session = sessionOf(gateway, mac);
  return {
    sn: gateway.sn,
    mac,
    ip: session?.ip ?? addressOf(mac),
    t: gateway.now(),
    ...(session && { sid: session.sid, acc: session.acc }),
  };
};

/** A client that pays must reach the payment provider before it has access. */
const startsToPay = ({ path }: Visit, location: string | undefined) => path.startsWith('pay/') || /^\/\w\w\/pay\//.test(location ?? '');

/** Passes a page or form on to the hosted portal. Without the console the offline page shows. */
export const passClient = async (context: PortalContext, visit: Visit): Promise<ClientReply> => {
  const { gateway, timeoutMs } = context;
  const { lang, path, query, mac, portal, method } = visit;
  // Without a link the request would only wait for its timeout.
  if (!isReachable(gateway)) return offlineReply(context, visit);
  try {
    // Files have no language.
    const below = path.startsWith('/') ? path.slice(1) : `${lang}/${path}`;
    const request = { ...visit, path: `${below}${query}`, method: method === 'HEAD' ? 'GET' : method };
    const reply = await forwardRequest(portal.section, handoverOf(context, mac), request, timeoutMs);
    if (reply.status >= 502) return offlineReply(context, visit);
    if (reply.status < 400 && startsToPay(visit, reply.location)) gateway.requestTempRelease(mac, 'pay');
    const headers = { ...secureHeaders, 'content-type': reply.mime, 'cache-control': reply.cache };
    return {
      status: reply.status,
      headers: { ...headers, ...(reply.location !== undefined && { location: reply.location }) },
      body: reply.body,
    };
  } catch (error) {
    return error instanceof TooLarge ? textReply(413, 'too large') : offlineReply(context, visit);
  }
};
