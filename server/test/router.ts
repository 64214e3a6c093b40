import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply, newAuthenticator } from '@farlink/gateway/radius/authenticator.ts';
import { decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';
import { hidePassword } from '@farlink/gateway/radius/password.ts';
import { attribute, octetsOf } from '@farlink/gateway/radius/values.ts';
import { seal } from '../src/kit/session/secret.ts';
import type { Radius } from '../src/radius/radius.ts';
import type { PortalReply, PortalWorld } from './portal.ts';
import { accounting, type openRadiusWorld, openUdpNas } from './radius.ts';

const md5 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

interface RouterOptions {
  readonly portal: PortalWorld;
  readonly world: Awaited<ReturnType<typeof openRadiusWorld>>;
  readonly radius: Radius;
  readonly nas?: Parameters<Awaited<ReturnType<typeof openRadiusWorld>>['makeNas']>[0];
}

type Credential = { readonly pap: string } | { readonly chap: Buffer; readonly challenge: Buffer };

/** The RADIUS client of a router. */
const openRadiusClient = async ({ world, radius, nas: more }: RouterOptions) => {
  const coa = createSocket('udp4');
  await new Promise<void>((bound) => coa.bind(0, '127.0.0.1', bound));
  const nas = await world.makeNas({ addr: '127.0.0.1', coa_port: coa.address().port, ...more });
  await radius.reload();
  const udp = await openUdpNas(radius, nas.secret);
  let sessions = 0;
  const logIn = async (account: string, mac: string, credential: Credential) => {
    const authenticator = newAuthenticator();
    const own = [attribute('User-Name', account), attribute('Calling-Station-Id', mac), nas.self];
    const proof =
      'pap' in credential
        ? [attribute('User-Password', hidePassword(credential.pap, authenticator, nas.secret))]
        : [attribute('CHAP-Password', credential.chap), attribute('CHAP-Challenge', credential.challenge)];
    const reply = await udp.request(udp.encode({ code: codes.accessRequest, authenticator, attributes: [...own, ...proof] }));
    if (reply?.code !== codes.accessAccept) return undefined;
    const session = [
      ...own,
      attribute('Acct-Session-Id', `r${++sessions}`),
      attribute('Class', octetsOf(reply, 'Class') ?? Buffer.alloc(0)),
    ];
    return {
      start: () => udp.request(udp.encode(accounting('start', session))),
      stop: () => udp.request(udp.encode(accounting('stop', session))),
      /** Reports the session time and the bytes of the whole session. */
      report: (status: 'interim' | 'stop', seconds: number, bytes: number) => {
        const counters = [attribute('Acct-Session-Time', seconds), attribute('Acct-Output-Octets', bytes % 2 ** 32)];
        const words = attribute('Acct-Output-Gigawords', Math.floor(bytes / 2 ** 32));
        return udp.request(udp.encode(accounting(status, [...session, ...counters, words])));
      },
    };
  };
  /** Requests of the console, which the router acknowledges. */
  const changes: Packet[] = [];
  coa.on('message', (bytes, from) => {
    const packet = decodePacket(bytes);
    if (!packet) return;
    changes.push(packet);
    const code = packet.code === codes.disconnectRequest ? codes.disconnectAck : codes.coaAck;
    coa.send(encodeReply({ code, attributes: [] }, packet, nas.secret), from.port, from.address);
  });
  const close = () => {
    udp.close();
    coa.close();
  };
  return { nas, logIn, changes, close };
};

/** A UAM router as the documents of CoovaChilli describe it (`redir.c`, `hotspotlogin.cgi`). */
export const openUamRouter = async ({ secret, ...options }: RouterOptions & { /** uamsecret */ readonly secret?: string }) => {
  const { secretKey } = options.portal.api.deps.config;
  const uam_secret = secret === undefined ? null : seal(secretKey, secret);
  const client = await openRadiusClient({ ...options, nas: { login_protocol: 'uam', uam_secret, ...options.nas } });
  const challenge = randomBytes(16);
  const key = secret === undefined ? challenge : md5(challenge, secret);
  return {
    ...client,
    /** Address that the router redirects a client to. */
    redirect: (mac: string, more: Readonly<Record<string, string>> = {}): string => {
      const query = new URLSearchParams({
        res: 'notyet',
        uamip: '10.1.0.1',
        uamport: '3990',
        challenge: challenge.toString('hex').toUpperCase(),
        called: '02-00-00-00-FF-01',
        mac,
        ip: '10.1.0.9',
        nasid: client.nas.identifier,
        sessionid: '5f0a0001',
        userurl: 'http://example.com/a?b=c',
        ...more,
      });
      const url = `${options.portal.base}?${query}`;
      return secret === undefined ? url : `${url}&md=${md5(url, secret).toString('hex').toUpperCase()}`;
    },
    /** The client opens the logon address, and the router asks RADIUS. */
    logon: (address: string, mac: string) => {
      const url = new URL(address);
      if (url.origin !== 'http://10.1.0.1:3990' || url.pathname !== '/logon') throw new Error(`not the router: ${address}`);
      const account = url.searchParams.get('username') ?? '';
      const response = url.searchParams.get('response');
      if (response !== null)
        return client.logIn(account, mac, { chap: Buffer.concat([Buffer.from([0]), Buffer.from(response, 'hex')]), challenge: key });
      const hidden = Buffer.from(url.searchParams.get('password') ?? '', 'hex');
      const clear = hidden.map((byte, i) => byte ^ (key[i % key.length] ?? 0));
      const end = clear.indexOf(0);
      return client.logIn(account, mac, { pap: Buffer.from(clear.subarray(0, end < 0 ? undefined : end)).toString() });
    },
  };
};

/** RouterOS writes bytes that are not printable as `\ooo`. */
const octal = (bytes: Buffer) =>
  [...bytes]
    .map((byte) => (byte > 0x20 && byte < 0x7f && byte !== 0x5c ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`))
    .join('');

/** A MikroTik hotspot whose `login.html` leads to the portal, as the documents of RouterOS describe it. */
export const openMikrotik = async (options: RouterOptions) => {
  const client = await openRadiusClient({ ...options, nas: { login_protocol: 'mikrotik', vendor: 'mikrotik', ...options.nas } });
  const id = randomBytes(1);
  const challenge = randomBytes(16);
  return {
    ...client,
    redirect: (mac: string, more: Readonly<Record<string, string>> = {}): string =>
      `${options.portal.base}?${new URLSearchParams({
        nasid: client.nas.identifier,
        mac,
        ip: '10.5.50.9',
        username: '',
        'link-login-only': 'http://10.5.50.1/login',
        'link-orig': 'http://example.com/',
        'chap-id': octal(id),
        'chap-challenge': octal(challenge),
        ...more,
      })}`,
    /** The client sends the form, and the router asks RADIUS: by CHAP if the password is an MD5 of its challenge. */
    logon: (form: ReadonlyMap<string, string>, mac: string, isChap: boolean) => {
      if (form.get('action') !== 'http://10.5.50.1/login') throw new Error(`not the router: ${form.get('action')}`);
      const password = form.get('password') ?? '';
      const chap = Buffer.concat([id, Buffer.from(password, 'hex')]);
      return client.logIn(form.get('username') ?? '', mac, isChap ? { chap, challenge } : { pap: password });
    },
  };
};

const plain = (html: string) => html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Address that a page opens by itself. */
export const refreshOf = ({ text }: PortalReply) => plain(/http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1] ?? '');

/** The form that a page sends to a router. */
export const routerFormOf = ({ text }: PortalReply): Map<string, string> => {
  const [, action = '', body = ''] = /<form method="post" action="(http[^"]*)" data-auto>(.*?)<\/form>/s.exec(text) ?? [];
  const fields = [...body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, plain(value)] as const);
  return new Map([['action', plain(action)], ...fields]);
};
