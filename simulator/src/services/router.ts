import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { lanAddress } from '../config/reachable-links.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { factory, html, pathOf, quoted, readForm, redirect, send, sendFile, signedIn, signIn, signOut, table } from './site.ts';

/** The configured language. */
const langOf = (gateway: GatewayInternals): Lang => (gateway.sections.doc('advanced_device_info').language === 'zh' ? 'zh' : 'en');

const page = (
  gateway: GatewayInternals,
  links: readonly (readonly [path: string, name: Text])[],
  body: (t: (text: Text) => string) => string,
) => {
  const lang = langOf(gateway);
  const t = (text: Text) => say(text, lang);
  return html(
    `${t(['路由器', 'Router'])} ${gateway.sn}`,
    links.map(([path, name]) => [path, t(name)]),
    body(t),
    lang,
    gateway.brand,
  );
};

const inside: readonly (readonly [path: string, name: Text])[] = [
  ['status', ['状态', 'status']],
  ['wifi', ['无线', 'wifi']],
  ['logout', ['退出', 'logout']],
];

const loginForm = (gateway: GatewayInternals, isWrong: boolean) =>
  page(
    gateway,
    [],
    (
      t,
    ) => `${isWrong ? `<p class="wrong">${t(['账号或密码错误。', 'Wrong account or password.'])}</p>` : ''}<form method="post" action="/login">
<label>${t(['账号', 'Account'])} <input name="account" autocomplete="username"></label><label>${t(['密码', 'Password'])} <input name="password"
type="password"></label><button>${t(['登录', 'Log in'])}</button></form>`,
  );

const linkStates: readonly Text[] = [
  ['关闭', 'off'],
  ['正常', 'on'],
  ['异常', 'abnormal'],
];

const status = (gateway: GatewayInternals) => {
  const { links: radios, uptime, lan } = gateway.view();
  const rows = (t: (text: Text) => string) => [
    [t(['型号', 'Model']), gateway.model],
    ['SN', gateway.sn],
    [t(['名称', 'Name']), gateway.sections.doc('advanced_device_info').device_name ?? ''],
    [t(['固件版本', 'Firmware']), gateway.firmware.version],
    [t(['运行时间', 'Up']), `${uptime} s`],
    [t(['当前链路', 'Link in use']), gateway.current ?? t(['无', 'none'])],
    [t(['在线用户', 'Users online']), gateway.users.online],
    [t(['LAN口', 'LAN ports']), lan.join(' ')],
    ...radios.map((l) => [l.i, `${t(linkStates[l.s] ?? ['', ''])} ${l.r === undefined ? '' : `${l.r} ms`}`]),
  ];
  return page(
    gateway,
    inside,
    (t) => `<h1>${t(['状态', 'Status'])}</h1>${table(rows(t))}<pre id="live"></pre><script src="/static/app.js"></script>`,
  );
};

const wifi = (gateway: GatewayInternals) => {
  const { ssid = 'Farlink' } = gateway.sections.get('wifi')?.doc ?? {};
  return page(
    gateway,
    inside,
    (t) =>
      `<h1>${t(['无线', 'Wi-Fi'])}</h1><form method="post" action="/wifi"><label>SSID <input name="ssid" value="${quoted(ssid)}"></label><button>${t(['保存', 'Save'])}</button></form>`,
  );
};

const logIn = async (gateway: GatewayInternals, request: IncomingMessage, response: ServerResponse) => {
  const form = await readForm(request);
  const account = form.get('account') ?? '';
  const ok = account === factory.account && form.get('password') === factory.password;
  if (account !== '') gateway.event('login', { acc: account.slice(0, 64), ok, ip: '127.0.0.1' });
  if (ok) redirect(response, '/status', signIn(gateway));
  else send(response, 401, loginForm(gateway, true));
};

export const routerPage = async (gateway: GatewayInternals, request: IncomingMessage, response: ServerResponse) => {
  const path = pathOf(request);
  const post = request.method === 'POST';
  if (sendFile(path, response)) return;
  const { logo } = gateway.brand;
  if (path === '/img/brand' && logo) return send(response, 200, logo, { 'content-type': logo[0] === 0x89 ? 'image/png' : 'image/jpeg' });
  if (path === '/login') return post ? logIn(gateway, request, response) : send(response, 200, loginForm(gateway, false));
  if (!signedIn(gateway, request)) return redirect(response, '/login');
  if (path === '/') return redirect(response, '/status');
  if (path === '/status') return send(response, 200, status(gateway));
  if (path === '/api/status') {
    const { uptime } = gateway.view();
    return send(response, 200, JSON.stringify({ uptime, link: gateway.current ?? null, users: gateway.users.online }), {
      'content-type': 'application/json',
    });
  }
  if (path === '/wifi' && post) {
    const ssid = (await readForm(request)).get('ssid') ?? '';
    gateway.changeLocally('wifi', { ...gateway.sections.get('wifi')?.doc, ssid: ssid.slice(0, 32) });
    // An absolute URL, as many such devices use.
    return redirect(response, `http://${request.headers.host ?? lanAddress(gateway.sections)}/wifi`);
  }
  if (path === '/wifi') return send(response, 200, wifi(gateway));
  if (path === '/logout') return redirect(response, '/login', signOut(gateway));
  return send(
    response,
    404,
    page(gateway, inside, (t) => `<p>${t(['没有此页面', 'Not found'])}</p>`),
  );
};
