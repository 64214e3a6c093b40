import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isObject } from '@farlink/gateway/protocol/shape.ts';
import { actions, addGateway, Refused } from './control-actions.ts';
import type { Fleet } from './fleet.ts';
import type { FleetOptions } from './gateway-options.ts';
import { groundTruthOf } from './ground-truth.ts';

const maxBytes = 262_144;

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxBytes) throw new Refused(413, 'too large');
  }
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refused(400, 'not JSON');
  }
  if (!isObject(body)) throw new Refused(400, 'not an object');
  return body;
};

/** Refuses requests of browser pages, which can reach this port too: they have an origin or another host. */
const fromHere = ({ headers }: IncomingMessage) =>
  headers.origin === undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '');

const reply = async (fleet: Fleet, common: FleetOptions, request: IncomingMessage): Promise<unknown> => {
  if (!fromHere(request)) throw new Refused(403, 'only from this machine');
  const [root, sn, action, more] = new URL(request.url ?? '/', 'http://control').pathname.split('/').slice(1).map(decodeURIComponent);
  if (root !== 'sim' || more !== undefined) throw new Refused(404, 'no such address');
  if (sn === undefined)
    return request.method === 'GET' ? { ...fleet.counts(), sns: fleet.gateways.map((g) => g.sn) } : Promise.reject(new Refused(405, 'GET'));
  const gateway = fleet.get(sn);
  if (request.method === 'POST' && action === undefined) return addGateway(fleet, common, sn, await bodyOf(request));
  if (!gateway) throw new Refused(404, `no gateway ${sn}`);
  if (request.method === 'GET' && action === undefined) return groundTruthOf(gateway);
  if (request.method === 'DELETE' && action === undefined) return { removed: fleet.remove(sn) };
  const act = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new Refused(404, `no such action; there are: ${Object.keys(actions).join(', ')}`);
  if (request.method !== 'POST') throw new Refused(405, 'POST');
  return (await act(gateway, await bodyOf(request))) ?? groundTruthOf(gateway);
};

/** Control server for tests and demonstrations: HTTP on loopback, JSON in and out. Actions return the resulting state of the gateway. */
export const openControl = (fleet: Fleet, common: FleetOptions, port: number): Promise<Server> => {
  const server = createServer((request, response) => {
    reply(fleet, common, request)
      .then((body) => [200, body] as const)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        return [error instanceof Refused ? error.status : error instanceof URIError ? 400 : 500, { error: reason }] as const;
      })
      .then(([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server)));
};
