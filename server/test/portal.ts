import { signHandover } from '@farlink/gateway/protocol/portal.ts';
import { portalKeyOf } from '../src/domain/portal/portal-key.ts';
import { seal } from '../src/kit/session/secret.ts';
import { startPayWorld } from './payment/pay-world.ts';

export const crewPassword = 'crew-pass-1';

export interface PortalReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Address that a redirect leads to. */
  readonly location: string | undefined;
}

const replyOf = async (response: Response): Promise<PortalReply> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
  location: response.headers.get('location') ?? undefined,
});

/** A VNO with a gateway, a package on sale and payment channels, seen by subscribers of its hosted portal. */
export const startPortalWorld = async () => {
  const world = await startPayWorld();
  const { api, billing, eastId } = world;
  const { code } = await api.db.selectFrom('agent').select('code').where('id', '=', eastId).executeTakeFirstOrThrow();
  const base = `${api.base}/portal/${code}/`;
  const { sn } = await api.db.selectFrom('device').select('sn').where('id', '=', billing.device_id).executeTakeFirstOrThrow();
  await api.db
    .updateTable('device')
    .set({ online_state: 1, caps: ['accounts', 'login'] })
    .where('id', '=', billing.device_id)
    .execute();

  /** A request without cookies, as a captive browser sends it. */
  const send = async (url: string, init: RequestInit = {}) => replyOf(await fetch(new URL(url, base), { redirect: 'manual', ...init }));
  const get = (url: string, headers: Record<string, string> = {}) => send(url, { headers });
  const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const postForm = (url: string, fields: Record<string, string | File | File[]>, headers: Record<string, string> = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
    return send(url, { method: 'POST', headers, body });
  };
  const account = (more: object = {}) => billing.makeAccount({ password: seal(api.deps.config.secretKey, crewPassword), ...more });
  const signed = async (mac = '02:00:00:00:00:01', more: object = {}) => {
    const key = (await portalKeyOf(api.db, api.deps.config, billing.device_id)) ?? '';
    return signHandover(key, { sn, mac, ip: '192.168.1.9', t: api.clock.now(), ...more });
  };
  /** Logs an account in and returns the address of its home page. */
  const enter = async (name: string, password = crewPassword, from = 'zh/') => {
    const reply = await post(`${from}login`, { account: name, password });
    if (reply.status !== 303 || !reply.location) throw new Error(`${reply.status} ${reply.text.slice(0, 2000)}`);
    return reply.location;
  };
  /** The captcha of a page; its answer is fixed in tests. */
  const captcha = async (page: PortalReply): Promise<Record<string, string>> => {
    const id = /name="captcha_id" value="([\w-]+)"/.exec(page.text)?.[1] ?? '';
    const src = /<img src="([^"]*captcha\?id=[^"]+)"/.exec(page.text)?.[1] ?? '';
    await get(src.replaceAll('&amp;', '&'));
    return { captcha_id: id, captcha: '8888' };
  };
  const commands = (op: string) =>
    api.db
      .selectFrom('device_command')
      .selectAll()
      .where('device_id', '=', billing.device_id)
      .where('op', '=', op)
      .orderBy('create_at')
      .execute();
  return { ...world, base, code, sn, send, get, post, postForm, account, signed, enter, captcha, commands };
};

export type PortalWorld = Awaited<ReturnType<typeof startPortalWorld>>;
