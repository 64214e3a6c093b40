import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type ConnectionOptions, connect } from 'node:tls';
import { codes, statusTypes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply, encodeRequest, newAuthenticator, replySignature } from '@farlink/gateway/radius/authenticator.ts';
import { type Attribute, decodePacket, lengthOf, type Packet } from '@farlink/gateway/radius/packet.ts';
import { hidePassword } from '@farlink/gateway/radius/password.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import type { Insertable } from 'kysely';
import type { Database } from '../src/db/tables.ts';
import { grantPackages } from '../src/domain/metering/store/grant-packages.ts';
import { refreshPackages } from '../src/domain/metering/store/refresh-packages.ts';
import type { Deps } from '../src/kit/deps.ts';
import { seal } from '../src/kit/session/secret.ts';
import { openRadius, type RadiusOptions } from '../src/radius/radius.ts';
import { subscriberRow } from './subscriber.ts';

export interface Sent {
  readonly code: number;
  readonly attributes: readonly Attribute[];
  readonly isSigned?: boolean;
  readonly authenticator?: Buffer;
}

interface Waiting {
  readonly request: Packet;
  done(reply: Packet): void;
}

/** A NAS: sends requests and checks the proofs of the replies. */
const openNasClient = (secret: string, write: (bytes: Buffer, code: number) => void) => {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const replies: Packet[] = [];
  return {
    replies,
    receive: (bytes: Buffer) => {
      const packet = decodePacket(bytes);
      if (!packet) throw new Error('malformed reply');
      replies.push(packet);
      const entry = waiting.get(packet.id);
      if (!entry) return;
      const signature = replySignature(packet, bytes, entry.request, secret);
      if (signature === 'wrong') throw new Error('reply with a wrong authenticator');
      if (entry.request.code === codes.accessRequest && (signature !== 'valid' || packet.attributes[0]?.type !== 80))
        throw new Error('reply without Message-Authenticator at the beginning');
      waiting.delete(packet.id);
      entry.done(packet);
    },
    /** The bytes of a request, to be sent more than once. */
    encode: (sent: Sent) => {
      last = (last + 1) % 256;
      return encodeRequest({ ...sent, id: last }, secret);
    },
    write,
    /** Sends a request and waits for its reply. Undefined: no reply within the time. */
    request: (bytes: Buffer, ms = 10_000): Promise<Packet | undefined> => {
      const request = decodePacket(bytes);
      if (!request) throw new Error('malformed request');
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), ms);
        waiting.set(request.id, {
          request,
          done: (reply) => {
            clearTimeout(timer);
            resolve(reply);
          },
        });
        write(bytes, request.code);
      });
    },
  };
};

export type NasClient = ReturnType<typeof openNasClient>;

export const openUdpNas = async (
  ports: { authPort: number | undefined; acctPort: number | undefined },
  secret: string,
  server = '127.0.0.1',
) => {
  const socket = createSocket('udp4');
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const nas = openNasClient(secret, (bytes, code) =>
    socket.send(bytes, (code === codes.accountingRequest ? ports.acctPort : ports.authPort) ?? 0, server),
  );
  socket.on('message', (bytes) => nas.receive(bytes));
  return { ...nas, close: () => socket.close() };
};

/** A RadSec NAS. `onRequest` answers requests of the server: a code and attributes, or undefined for no answer. */
export const openRadsecNas = async (
  port: number,
  options: ConnectionOptions,
  onRequest: (packet: Packet) => Sent | undefined = () => undefined,
) => {
  const socket = connect({ host: '127.0.0.1', port, ...options });
  socket.on('error', () => {});
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close').then(() => Promise.reject(new Error('refused')))]);
  const nas = openNasClient('radsec', (bytes) => socket.write(bytes));
  const requests: Packet[] = [];
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let length = lengthOf(rest); length !== undefined && rest.length >= length; length = lengthOf(rest)) {
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      const packet = decodePacket(bytes);
      if (packet && [codes.coaRequest, codes.disconnectRequest].some((code) => code === packet.code)) {
        requests.push(packet);
        const reply = onRequest(packet);
        if (reply) socket.write(encodeReply(reply, packet, 'radsec'));
      } else nas.receive(bytes);
    }
  });
  return { ...nas, requests, socket, close: () => socket.destroy() };
};

export const pap = (account: string, password: string, secret: string, more: readonly Attribute[] = []): Sent => {
  const authenticator = newAuthenticator();
  return {
    code: codes.accessRequest,
    authenticator,
    attributes: [attribute('User-Name', account), attribute('User-Password', hidePassword(password, authenticator, secret)), ...more],
  };
};

export const accounting = (status: keyof typeof statusTypes, more: readonly Attribute[]): Sent => ({
  code: codes.accountingRequest,
  attributes: [attribute('Acct-Status-Type', statusTypes[status]), ...more],
});

type NewNas = Partial<Insertable<Database['nas']>>;

/** The RADIUS server on free ports, with accounts and NAS of one VNO. */
export const openRadiusWorld = async (deps: Deps, agent_id: number, options: Partial<RadiusOptions> = {}) => {
  const { db, config, clock } = deps;
  const stamp = () => ({ create_at: clock.now(), update_at: clock.now() });
  const open = () =>
    openRadius(deps, { host: '127.0.0.1', authPort: 0, acctPort: 0, rejectDelayMs: 1, tickMs: 50, sweepMs: 3_600_000, ...options });
  let n = 0;
  const { id: device_id } = await db
    .insertInto('device')
    .values({ agent_id, name: 'Site', sn: `SITE-${agent_id}`, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const makeNas = async (more: NewNas = {}) => {
    const secret = `secret ${++n} 远`;
    const row = { agent_id, name: `NAS ${n}`, identifier: `nas-${n}`, secret: seal(config.secretKey, secret), ...stamp(), ...more };
    const nas = await db.insertInto('nas').values(row).returningAll().executeTakeFirstOrThrow();
    return { ...nas, secret: more.secret ?? secret, self: attribute('NAS-Identifier', nas.identifier) };
  };
  const makeVno = async () => {
    const role = { agent_id, kind: 'agent' as const, name: `role ${++n}`, scope: 'unlimited' as const, permissions: '{}', creator: '-' };
    const { id: role_id } = await db
      .insertInto('role')
      .values({ ...role, ...stamp() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const vno = {
      parent_id: agent_id,
      role_id,
      name: `VNO ${n}`,
      code: `vno${n}`,
      path: `/1/${n}/`,
      agent_level: 1,
      agent_mode: 3 as const,
    };
    const made = await db
      .insertInto('agent')
      .values({ ...vno, ...stamp() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return made.id;
  };
  const password = 'Pass 2026';
  const makePackage = (more: Partial<Insertable<Database['package']>> = {}) =>
    db
      .insertInto('package')
      .values({
        agent_id,
        kind: 'online',
        name: `package ${++n}`,
        package_type: 'time',
        time_capacity: 30,
        time_unit: 'day',
        price: '9.00',
        device_ids: [device_id],
        ...stamp(),
        ...more,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  const grant = async (subscriber_id: number, pkg: { id: number; price: string }) => {
    const start_at = clock.now();
    await grantPackages(db, [{ subscriber_id, agent_id, package_id: pkg.id, price: pkg.price, count: 1, start_at }], start_at);
    await refreshPackages(db, [subscriber_id], start_at);
  };
  /** An account with a package of thirty days, or with the given one. */
  const makeAccount = async (more: Partial<Insertable<Database['subscriber']>> = {}, pkg?: { id: number; price: string } | null) => {
    const row = subscriberRow({ agent_id, account: `user${++n}`, password: seal(config.secretKey, password), ...stamp(), ...more });
    const account = await db.insertInto('subscriber').values(row).returningAll().executeTakeFirstOrThrow();
    if (pkg !== null) await grant(account.id, pkg ?? (await makePackage()));
    return account;
  };
  const sessions = (subscriber_id: number) =>
    db.selectFrom('online_session').selectAll().where('subscriber_id', '=', subscriber_id).orderBy('id').execute();
  const usage = async (subscriber_id: number) => {
    const rows = await db.selectFrom('usage').selectAll().where('subscriber_id', '=', subscriber_id).execute();
    const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
    return { up: sum((r) => r.up_bytes), down: sum((r) => r.down_bytes), seconds: sum((r) => r.seconds) };
  };
  const account = (id: number) => db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { device_id, open, makeNas, makeVno, makePackage, makeAccount, grant, sessions, usage, account, password };
};
