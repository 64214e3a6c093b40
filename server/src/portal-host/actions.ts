import type { FastifyReply } from 'fastify';
import { issueCaptcha } from '../domain/captcha/captcha.ts';
import { fail } from '../kit/fail.ts';
import { allowPublicCall } from '../kit/http/rate-limit.ts';
import { changePassword, logout, showDevices, showPassword } from './account.ts';
import { buy, cancelOrder, showBuy, showOrder, showQr } from './buy.ts';
import { useCard } from './card.ts';
import { sendReport, showFeedback } from './feedback.ts';
import { sendHome } from './home.ts';
import { login } from './login.ts';
import { announcementLines, showPackages } from './public-data.ts';
import { register, sendCode, showRegister } from './register.ts';
import { setRenewal } from './renewal.ts';
import { showConnect } from './router-connect.ts';
import { secure, sendPage, type Visit } from './visit.ts';

type Action = (visit: Visit) => Promise<FastifyReply>;

const showAnnouncements: Action = async (visit) =>
  sendPage(visit, 'notices', { notices: await announcementLines(visit.deps, visit.agent.id) });
const showAgreement: Action = async (visit) => sendPage(visit, 'agreement', {});

const showCaptcha: Action = async (visit) => {
  const id = visit.query.get('id') ?? '';
  if (!/^[\w-]{22}$/.test(id)) throw fail('not_found');
  // Each captcha costs drawing time and a row.
  await allowPublicCall(visit.deps, visit.request.ip, visit.deps.clock.now(), 'captcha ');
  return secure(visit.reply)
    .type('image/svg+xml')
    .send(await issueCaptcha(visit.deps, id));
};

/** All requests of a visitor, by method and path below `here`. */
const actions: Readonly<Record<string, Action>> = {
  'GET ': (visit) => sendHome(visit),
  'POST login': login,
  'POST card': useCard,
  'GET connect': showConnect,
  'POST logout': logout,
  'GET register': showRegister,
  'POST register/code': sendCode,
  'POST register': register,
  'GET packages': showPackages,
  'GET buy': showBuy,
  'POST buy': buy,
  'POST renewal': setRenewal,
  'GET password': showPassword,
  'POST password': changePassword,
  'GET devices': (visit) => showDevices(visit),
  'GET notices': showAnnouncements,
  'GET feedback': showFeedback,
  'POST feedback': sendReport,
  'GET agreement': showAgreement,
  'GET captcha': showCaptcha,
};

const orderPath = /^pay\/([A-Z0-9]{6,32})(\/qr\.svg|\/cancel)?$/;

/** Handler of a request; undefined if there is no such page. */
export const actionOf = (method: string, path: string): Action | undefined => {
  const key = `${method} ${path}`;
  if (Object.hasOwn(actions, key)) return actions[key];
  const [, no, what] = orderPath.exec(path) ?? [];
  if (no === undefined) return undefined;
  if (method === 'POST') return what === '/cancel' ? (visit) => cancelOrder(visit, no) : undefined;
  if (what === '/cancel') return undefined;
  return (visit) => (what === undefined ? showOrder(visit, no) : showQr(visit, no));
};
