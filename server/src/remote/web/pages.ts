import { randomBytes } from 'node:crypto';
import { type RemoteEnd, type RemoteService, remoteEnd, remoteService } from '@farlink/contract/device/remote.ts';
import { errors } from '@farlink/contract/errors.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';

/** Pages of the console on the origin of a session, before the tunnel is open and after the session has ended. */
export interface OwnPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const texts = {
  title: ['远程访问', 'Remote access'],
  to: ['{1} · {0}', '{1} · {0}'],
  checking: ['正在核对凭证…', 'Checking the ticket…'],
  connecting: ['正在等待设备建立隧道…', 'Waiting for the device to open a tunnel…'],
  patience: ['卫星链路通常需要数秒。', 'Over satellite this usually takes a few seconds.'],
  waited: ['已等待 {0} 秒', '{0} s so far'],
  opening: ['隧道已建立，正在打开页面…', 'Tunnel established, opening the page…'],
  failed: ['无法访问设备', 'Cannot reach the device'],
  over: ['远程会话已结束', 'The remote session has ended'],
  again: ['如需继续，请在控制台的设备列表中重新打开。', 'To continue, open it again from the device list of the console.'],
  unreachable: ['无法连接服务器', 'Cannot reach the server'],
  unknown: ['没有这个远程会话', 'Remote session not found'],
  noCookie: ['此浏览器未打开该远程会话', 'This browser did not open this remote session'],
  noAnswer: ['设备没有应答', 'The device does not respond'],
  elsewhere: ['设备要求使用其他地址访问', 'The device requires another address'],
  elsewhereText: [
    '设备把页面转到了 {0}，该地址不在本次远程会话内。',
    'The device redirects to {0}, which is not part of this remote session.',
  ],
  busy: ['同时进行的请求过多，请稍后再试', 'Too many requests at once, please try again'],
} as const satisfies Record<string, Text>;

const plain = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const style = `
:root{color-scheme:light dark;--back:#f5f6f8;--card:#fff;--line:#e3e6ea;--text:#1f2733;--muted:#5b6675;--accent:#1d4fd8;--bad:#b42318}
@media(prefers-color-scheme:dark){:root{--back:#0d1117;--card:#151b23;--line:#2b3440;--text:#e6eaf0;--muted:#9aa5b4;--accent:#7ea2ff;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);color:var(--text);font:13px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:min(420px,92vw);background:var(--card);border:1px solid var(--line);border-radius:8px;padding:28px 32px}
h1{font-size:16px;margin:0 0 4px}
p{margin:6px 0 0;color:var(--muted)}
.device{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.bar{height:3px;margin:20px 0 14px;border-radius:2px;background:var(--line);overflow:hidden}
.bar i{display:block;width:35%;height:100%;background:var(--accent);animation:go 1.4s ease-in-out infinite}
@keyframes go{from{transform:translateX(-100%)}to{transform:translateX(300%)}}
@media(prefers-reduced-motion:reduce){.bar i{animation:none;width:100%}}
.bad h1{color:var(--bad)} .bad .bar{display:none}
`;

const page = (lang: Lang, title: string, body: string, script = ''): OwnPage => {
  const nonce = randomBytes(16).toString('base64');
  return {
    html: `<!doctype html><html lang="${lang === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${plain(title)}</title>
<link rel="icon" href="data:,"><style nonce="${nonce}">${style}</style></head><body>${body}${script && `<script nonce="${nonce}">${script}</script>`}</body></html>`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  };
};

const headOf = (lang: Lang, device: string, service: RemoteService) =>
  say(fill(texts.to, device, remoteService.find(({ id }) => id === service)?.label ?? ['', '']), lang);

/** Sends the ticket and waits until the tunnel is open. The ticket is in the URL fragment, so no server logs it. */
export const connectingPage = (lang: Lang, device: string, service: RemoteService): OwnPage => {
  const shownTexts = {
    ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, say(text, lang)])),
    ticket: say(errors.remote_ticket.text, lang),
    ends: Object.fromEntries(remoteEnd.map(({ id, label }) => [id, say(label, lang)])),
  };
  const script = `(()=>{
const texts=${JSON.stringify(shownTexts).replaceAll('<', '\\u003c')};
const at=(id)=>document.getElementById(id);
const began=Date.now();
const clock=setInterval(()=>{at('waited').textContent=texts.waited.replace('{0}',Math.round((Date.now()-began)/1000))},1000);
const fail=(title,text)=>{clearInterval(clock);document.body.className='bad';at('title').textContent=title;at('text').textContent=text;at('waited').textContent=texts.again;document.title=title};
const show=(reply)=>{
 if(reply.state==='open'){at('text').textContent=texts.opening;location.replace('/');return false}
 if(reply.state!=='opening'){fail(texts.failed,(texts.ends[reply.reason]||texts.over)+(reply.message?': '+reply.message:''));return false}
 at('text').textContent=texts.connecting;return true};
const ask=async(path,options)=>{const r=await fetch('/_farlink/'+path,options);if(r.status===403)return{state:'ended',ticket:true};return r.json()};
const go=async()=>{
 const ticket=location.hash.slice(1);
 history.replaceState(null,'',location.pathname);
 let reply=ticket?await ask('enter',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({ticket})}):await ask('state');
 while(true){
  if(reply.ticket)return fail(texts.failed,texts.ticket);
  if(!show(reply))return;
  reply=await ask('state?wait');
 }};
go().catch(()=>fail(texts.unreachable,''));
})()`;
  const body = `<main aria-live="polite"><h1 id="title">${plain(say(texts.title, lang))}</h1><p class="device">${plain(headOf(lang, device, service))}</p>
<div class="bar" aria-hidden="true"><i></i></div><p id="text">${plain(say(texts.checking, lang))}</p><p>${plain(say(texts.patience, lang))}</p><p id="waited"></p></main>`;
  return page(lang, headOf(lang, device, service), body, script);
};

const notice = (lang: Lang, title: Text, ...texts: readonly string[]): OwnPage =>
  page(
    lang,
    say(title, lang),
    `<main class="bad"><h1>${plain(say(title, lang))}</h1>${texts.map((text) => `<p class="device">${plain(text)}</p>`).join('')}</main>`,
  );

export const endedPage = (lang: Lang, reason: RemoteEnd, message: string | null): OwnPage => {
  const why = remoteEnd.find(({ id }) => id === reason)?.label ?? texts.over;
  return notice(lang, texts.over, `${say(why, lang)}${message === null ? '' : ` (${message})`}`, say(texts.again, lang));
};

/** Without a session the language of the reader is unknown. */
const both = (text: Text) => text.join(' / ');

export const unknownPage = (): OwnPage => notice('zh', [both(texts.unknown), both(texts.unknown)], both(texts.again));
export const otherBrowserPage = (lang: Lang): OwnPage => notice(lang, texts.noCookie, say(texts.again, lang));
export const noReplyPage = (lang: Lang, reason: string): OwnPage => notice(lang, texts.noAnswer, reason);
export const busyPage = (lang: Lang): OwnPage => notice(lang, texts.busy);
export const otherAddressPage = (lang: Lang, address: string): OwnPage =>
  notice(lang, texts.elsewhere, say(fill(texts.elsewhereText, address), lang));
