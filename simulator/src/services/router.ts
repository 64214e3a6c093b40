import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import type { Box } from '../box.ts';
import { lanAddress } from '../config/reach.ts';
import { enter, factory, html, leave, pathOf, quoted, readForm, redirect, send, sendFile, signedIn, table } from './site.ts';

/** In the language that it was set to. */
const langOf = (box: Box): Lang => (box.sections.doc('advanced_device_info').language === 'zh' ? 'zh' : 'en');

const page = (box: Box, links: readonly (readonly [path: string, name: Text])[], body: (t: (text: Text) => string) => string) => {
  const lang = langOf(box);
  const t = (text: Text) => say(text, lang);
  return html(
    `${t(['路由器', 'Router'])} ${box.sn}`,
    links.map(([path, name]) => [path, t(name)]),
    body(t),
    lang,
  );
};

const inside: readonly (readonly [path: string, name: Text])[] = [
  ['status', ['状态', 'status']],
  ['wifi', ['无线', 'wifi']],
  ['logout', ['退出', 'logout']],
];

const loginForm = (box: Box, wrong: boolean) =>
  page(
    box,
    [],
    (
      t,
    ) => `${wrong ? `<p class="wrong">${t(['账号或密码错误。', 'Wrong account or password.'])}</p>` : ''}<form method="post" action="/login">
<label>${t(['账号', 'Account'])} <input name="account" autocomplete="username"></label><label>${t(['密码', 'Password'])} <input name="password"
type="password"></label><button>${t(['登录', 'Log in'])}</button></form>`,
  );

const linkStates: readonly Text[] = [
  ['关闭', 'off'],
  ['正常', 'on'],
  ['异常', 'abnormal'],
];

const status = (box: Box) => {
  const { links: radios, uptime, lan } = box.view();
  const rows = (t: (text: Text) => string) => [
    [t(['型号', 'Model']), box.model],
    ['SN', box.sn],
    [t(['名称', 'Name']), box.sections.doc('advanced_device_info').device_name ?? ''],
    [t(['固件版本', 'Firmware']), box.firmware.version],
    [t(['运行时间', 'Up']), `${uptime} s`],
    [t(['当前链路', 'Link in use']), box.current ?? t(['无', 'none'])],
    [t(['在线用户', 'Users online']), box.users.online],
    [t(['LAN口', 'LAN ports']), lan.join(' ')],
    ...radios.map((l) => [l.i, `${t(linkStates[l.s] ?? ['', ''])} ${l.r === undefined ? '' : `${l.r} ms`}`]),
  ];
  return page(
    box,
    inside,
    (t) => `<h1>${t(['状态', 'Status'])}</h1>${table(rows(t))}<pre id="live"></pre><script src="/static/app.js"></script>`,
  );
};

const wifi = (box: Box) => {
  const { ssid = 'Farlink' } = box.sections.get('wifi')?.doc ?? {};
  return page(
    box,
    inside,
    (t) =>
      `<h1>${t(['无线', 'Wi-Fi'])}</h1><form method="post" action="/wifi"><label>SSID <input name="ssid" value="${quoted(ssid)}"></label><button>${t(['保存', 'Save'])}</button></form>`,
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
  return send(
    response,
    404,
    page(box, inside, (t) => `<p>${t(['没有此页面', 'Not found'])}</p>`),
  );
};
