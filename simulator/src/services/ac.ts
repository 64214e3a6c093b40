import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayInternals } from '../gateway-internals.ts';
import { html, pathOf, send, sendFile, table } from './site.ts';

/** Web page of the access controller: its access points and their state. */
export const acPage = (gateway: GatewayInternals, request: IncomingMessage, response: ServerResponse) => {
  const path = pathOf(request);
  if (sendFile(path, response)) return;
  const aps = gateway.view().aps.map(({ name, s, stations, mac, ip }) => [name, s === 1 ? 'up' : 'down', stations, mac, ip]);
  if (path === '/api/aps') return send(response, 200, JSON.stringify(aps), { 'content-type': 'application/json' });
  if (path !== '/') return send(response, 404, html('Not found', [], '<p>Not found</p>'));
  send(
    response,
    200,
    html(`Access controller ${gateway.sn}`, [], `<h1>Access points</h1>${table([['Name', 'State', 'Stations', 'MAC', 'IP'], ...aps])}`),
  );
};
