import { Readable } from 'node:stream';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { spanText } from '@farlink/contract/kit/units.ts';
import { refusalTexts } from '@farlink/portal/refusals.ts';
import { sessionOf } from './client-view.ts';
import { passClient } from './pass-client.ts';
import { type ClientReply, homeReply, type PortalContext, redirectTo, type Visit } from './visit.ts';

const maxForm = 16_384;
const longestField = 128;

const texts = {
  missing: ['请输入账号和密码', 'Please enter account and password'],
  wait: ['失败次数过多，请{0}后再试', 'Too many attempts. Please try again in {0}.'],
} as const satisfies Record<string, Text>;

/** Fields of a form. A form that is too long is read as empty. */
const formOf = async ({ body }: Visit): Promise<URLSearchParams> => {
  let text = '';
  let size = 0;
  if (body)
    for await (const chunk of body) {
      size += chunk.length;
      if (size <= maxForm) text += String(chunk);
    }
  return new URLSearchParams(size > maxForm ? '' : text);
};

const fieldOf = (form: URLSearchParams, name: string): string => {
  const value = form.get(name) ?? '';
  return value.length <= longestField && value.isWellFormed() && !value.includes('\0') ? value : '';
};

/** Login by the accounts of this gateway, or by RADIUS. It works without the console. */
export const login = async (context: PortalContext, visit: Visit): Promise<ClientReply> => {
  const { gateway, limit } = context;
  const { mac, lang } = visit;
  const form = await formOf(visit);
  const account = fieldOf(form, 'account').trim();
  const password = fieldOf(form, 'password');
  const home = redirectTo(`/${lang}/`);
  if (sessionOf(gateway, mac)) return home;
  const refuse = (text: Text, status: number) =>
    homeReply(context, visit, { message: say(text, lang), isError: true, value: { account } }, status);
  const wait = limit.wait(mac, gateway.now());
  if (wait > 0) return refuse(fill(texts.wait, spanText(wait)), 429);
  if (!/^\S+$/.test(account) || password === '') return refuse(texts.missing, 422);
  const result = await gateway.users.login({ acc: account, password, mac });
  if ('why' in result) {
    limit.failed(mac, gateway.now());
    return refuse(refusalTexts[result.why], 403);
  }
  limit.passed(mac);
  return home;
};

/** Ends the session of the client, or another one of its account. Sessions at other gateways end at the console. */
export const logout = async (context: PortalContext, visit: Visit): Promise<ClientReply> => {
  const { gateway } = context;
  const own = sessionOf(gateway, visit.mac);
  const sid = (await formOf(visit)).get('session') ?? own?.sid;
  const session = gateway.users.sessions.find((one) => one.sid === sid);
  if (session && session.acc === own?.acc) gateway.users.signOut(session.sid, 'user');
  else if (own && sid !== undefined) return passClient(context, { ...visit, body: Readable.from([`session=${encodeURIComponent(sid)}`]) });
  return redirectTo(`/${visit.lang}/`);
};
