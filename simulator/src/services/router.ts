import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Box } from '../box.ts';
import { lanAddress } from '../config/reach.ts';
import { enter, factory, html, leave, pathOf, quoted, readForm, redirect, send, sendFile, signedIn, table } from './site.ts';

const links = ['status', 'wifi', 'logout'];

const loginForm = (box: Box, wrong: boolean) =>
  html(
    `Router ${box.sn}`,
    [],
    `${wrong ? '<p class="wrong">Wrong account or password.</p>' : ''}<form method="post" action="/login">
<label>Account <input name="account" autocomplete="username"></label><label>Password <input name="password" type="password"></label><button>Log in</button></form>`,
  );

const status = (box: Box) => {
  const { links: radios, uptime, lan } = box.view();
  const rows = [
    ['Model', box.model],
    ['SN', box.sn],
    ['Name', box.sections.doc('advanced_device_info').device_name ?? ''],
    ['Firmware', box.firmware.version],
    ['Up', `${uptime} s`],
    ['Link in use', box.current ?? 'none'],
    ['Users online', box.users.online],
    ['LAN ports', lan.join(' ')],
    ...radios.map((l) => [l.i, `${['off', 'on', 'abnormal'][l.s]} ${l.r === undefined ? '' : `${l.r} ms`}`]),
  ];
  return html(`Router ${box.sn}`, links, `<h1>Status</h1>${table(rows)}<pre id="live"></pre><script src="/static/app.js"></script>`);
};

const wifi = (box: Box) => {
  const { ssid = 'Farlink' } = box.sections.get('wifi')?.doc ?? {};
  return html(
    `Router ${box.sn}`,
    links,
    `<h1>Wi-Fi</h1><form method="post" action="/wifi"><label>SSID <input name="ssid" value="${quoted(ssid)}"></label><button>Save</button></form>`,
  );
};

const logIn = async (box: Box, request: IncomingMessage, response: ServerResponse) => {
  const form = await readForm(request);
  const account = form.get('account') ?? '';
  const ok = account === factory.account && form.get('password') === factory.password;
  if (account !== '') box.event('login', { acc: account.slice(0, 64), ok, ip: '127.0.0.1' });
  if (ok) redirect(response, '/status', enter(box));
  else send(response, 401, loginForm(box, true));
};

export const routerPage = async (box: Box, request: IncomingMessage, response: ServerResponse) => {
  const path = pathOf(request);
  const post = request.method === 'POST';
  if (sendFile(path, response)) return;
  if (path === '/login') return post ? logIn(box, request, response) : send(response, 200, loginForm(box, false));
  if (!signedIn(box, request)) return redirect(response, '/login');
  if (path === '/') return redirect(response, '/status');
  if (path === '/status') return send(response, 200, status(box));
  if (path === '/api/status') {
    const { uptime } = box.view();
    return send(response, 200, JSON.stringify({ uptime, link: box.current ?? null, users: box.users.online }), {
      'content-type': 'application/json',
    });
  }
  if (path === '/wifi' && post) {
    const ssid = (await readForm(request)).get('ssid') ?? '';
    box.changeLocally('wifi', { ...box.sections.get('wifi')?.doc, ssid: ssid.slice(0, 32) });
    // With the whole address, as many such boxes do.
    return redirect(response, `http://${request.headers.host ?? lanAddress(box.sections)}/wifi`);
  }
  if (path === '/wifi') return send(response, 200, wifi(box));
  if (path === '/logout') return redirect(response, '/login', leave(box));
  return send(response, 404, html('Not found', links, '<p>Not found</p>'));
};
