import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply, requestSignature } from '@farlink/gateway/radius/authenticator.ts';
import { decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';
import { attribute, intOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority } from '../../test/certificates.ts';
import { accounting, openRadiusWorld, openRadsecNas, openUdpNas, pap, type Sent } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';
import { refreshPackages } from '../domain/metering/store/refresh-packages.ts';
import { kickSessions } from '../domain/subscriber/kick-sessions.ts';
import { pendingFor } from '../field/pending/pending.ts';
import { open as openSecret } from '../kit/session/secret.ts';
import type { Radius } from './radius.ts';

let service: ServiceDeps;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;
const folder = mkdtempSync(join(tmpdir(), 'farlink-radsec-'));
const authority = makeAuthority(folder, 'ours');
const stranger = makeAuthority(folder, 'theirs');

beforeAll(async () => {
  service = await serviceDeps();
  const own = authority.issue('server');
  const tls = { cert: own.cert, key: own.key, ca: readFileSync(authority.ca, 'utf8') };
  world = await openRadiusWorld(service.deps, service.me.agent_id, { radsec: { host: '127.0.0.1', port: 0, tls } });
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const port = () => radius.radsecPort ?? 0;
const psk = (identity: string, secret: string, version: 'TLSv1.2' | 'TLSv1.3') => ({
  pskCallback: () => ({ identity, psk: Buffer.from(secret) }),
  ciphers: version === 'TLSv1.3' ? 'TLS_AES_128_GCM_SHA256' : 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: version,
  maxVersion: version,
  checkServerIdentity: () => undefined,
});
const foreign = async (more: Parameters<typeof world.makeNas>[0] = {}) => {
  const nas = await world.makeNas(more);
  await radius.reload();
  return nas;
};
const ack = (packet: Packet): Sent => ({
  code: packet.code === codes.disconnectRequest ? codes.disconnectAck : codes.coaAck,
  attributes: [],
});
const classOf = (packet: Packet | undefined) => attribute('Class', octetsOf(packet ?? { attributes: [] }, 'Class') ?? Buffer.alloc(0));
const tasks = () => service.deps.db.selectFrom('coa_task').selectAll().orderBy('id').execute();
const lastTask = async () => (await tasks()).at(-1);

describe('RadSec', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('serves a NAS with PSK over %s: 300 logins and starts on one connection', async (version) => {
    const row = await foreign({ transport: 'radsec' });
    const nas = await openRadsecNas(port(), psk(`${row.identifier}#${row.id}`, row.secret, version));
    const { account } = await world.makeAccount({ allow_logins: 255 });
    const results = { accepted: 0, accounted: 0 };
    for (let i = 0; i < 3; i++) {
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => [
          nas.request(nas.encode(pap(account, world.password, 'radsec'))),
          nas.request(nas.encode(accounting('interim', [attribute('User-Name', 'none'), attribute('Acct-Session-Id', 'x')]))),
        ]).flat(),
      );
      for (const reply of replies) results[reply?.code === codes.accessAccept ? 'accepted' : 'accounted'] += 1;
    }
    expect(results).toEqual({ accepted: 150, accounted: 150 });
    nas.close();
  });

  it('serves a NAS with a certificate of our CA, and refuses others', async () => {
    const row = await foreign({ transport: 'radsec' });
    const good = authority.issue(row.identifier);
    const trust = { ca: authority.caText, checkServerIdentity: () => undefined };
    const nas = await openRadsecNas(port(), { ...trust, cert: good.cert, key: good.key });
    const { account } = await world.makeAccount();
    expect((await nas.request(nas.encode(pap(account, world.password, 'radsec'))))?.code).toBe(codes.accessAccept);
    nas.close();
    const bad = stranger.issue(row.identifier);
    for (const options of [
      { ...trust, cert: bad.cert, key: bad.key },
      trust,
      psk(row.identifier, 'wrong', 'TLSv1.3'),
      psk('unknown', 'x', 'TLSv1.2'),
    ]) {
      const refused = await openRadsecNas(port(), options).then(
        async (made) => (await made.request(made.encode(pap(account, world.password, 'radsec')), 300)) === undefined,
        () => true,
      );
      expect(refused).toBe(true);
    }
  });

  it('ends the connection of a NAS whose secret was rotated, and of one that sends no packets', async () => {
    const row = await foreign({ transport: 'radsec' });
    const nas = await openRadsecNas(port(), psk(row.identifier, row.secret, 'TLSv1.3'));
    const closed = new Promise((done) => nas.socket.once('close', done));
    const other = await world.makeNas();
    await service.deps.db
      .updateTable('nas')
      .set({
        secret: (await service.deps.db.selectFrom('nas').select('secret').where('id', '=', other.id).executeTakeFirstOrThrow()).secret,
        version: 2,
      })
      .where('id', '=', row.id)
      .execute();
    await closed;
    const noise = await foreign({ transport: 'radsec' });
    const loud = await openRadsecNas(port(), psk(noise.identifier, noise.secret, 'TLSv1.3'));
    const ended = new Promise((done) => loud.socket.once('close', done));
    loud.socket.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    await ended;
  });

  it('creates a NAS for each gateway with billing mode AAA, and a new secret for a new owner', async () => {
    const { db, config } = service.deps;
    const { id } = await db
      .insertInto('device')
      .values({ agent_id: service.me.agent_id, name: 'Ship', sn: 'AAA-1', billing_mode: 2, create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await radius.sweep();
    const made = await db.selectFrom('nas').selectAll().where('device_id', '=', id).executeTakeFirstOrThrow();
    expect(made).toMatchObject({ identifier: 'AAA-1', transport: 'radsec', agent_id: service.me.agent_id, require_ma: true });
    await expect
      .poll(() =>
        openRadsecNas(port(), psk('AAA-1', openSecret(config.secretKey, made.secret), 'TLSv1.3')).then(
          (nas) => nas.close(),
          () => 'no',
        ),
      )
      .not.toBe('no');
    const bound = await world.makeAccount({ device_id: id });
    const elsewhere = await world.makeAccount({ device_id: world.device_id });
    const nas = await openRadsecNas(port(), psk('AAA-1', openSecret(config.secretKey, made.secret), 'TLSv1.3'));
    expect((await nas.request(nas.encode(pap(bound.account, world.password, 'radsec'))))?.code).toBe(codes.accessAccept);
    expect((await nas.request(nas.encode(pap(elsewhere.account, world.password, 'radsec'))))?.code).toBe(codes.accessReject);
    nas.close();
    await db
      .updateTable('device')
      .set({ agent_id: await world.makeVno() })
      .where('id', '=', id)
      .execute();
    await radius.sweep();
    const renewed = await db.selectFrom('nas').selectAll().where('device_id', '=', id).executeTakeFirstOrThrow();
    expect(renewed.agent_id).not.toBe(made.agent_id);
    expect(renewed.secret).not.toBe(made.secret);
  });
});

describe('the section radius of a gateway', () => {
  it('carries its secret, sealed in storage and open in the message', async () => {
    const { db, pool, config } = service.deps;
    const { id, sn } = await db
      .insertInto('device')
      .values({ agent_id: service.me.agent_id, name: 'Ship', sn: 'AAA-2', billing_mode: 3, caps: ['radius'], create_at: 1 })
      .returning(['id', 'sn'])
      .executeTakeFirstOrThrow();
    await radius.sweep();
    const nas = await db.selectFrom('nas').select('secret').where('device_id', '=', id).executeTakeFirstOrThrow();
    const secret = openSecret(config.secretKey, nas.secret);
    const stored = await db.selectFrom('desired_section').selectAll().where('device_id', '=', id).executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ section: 'radius', rev: 1 });
    expect(JSON.stringify(stored.doc)).not.toContain(secret);
    const [message] = (await pendingFor(pool, config, service.clock.now(), [sn])).get(sn) ?? [];
    const body: { doc: JsonObject; h: string } = JSON.parse(message?.body ?? '{}');
    expect(message?.tail).toBe('cfg/radius');
    expect(body.doc).toEqual({ port: 2083, id: sn, secret, interval: 300 });
    expect(body.h).toBe(hashOf(body.doc));
    await radius.sweep();
    const again = await db.selectFrom('desired_section').select('rev').where('device_id', '=', id).executeTakeFirstOrThrow();
    expect(again.rev).toBe(1);
  });
});

describe('dynamic authorization', () => {
  const online = async (
    more: Parameters<typeof world.makeAccount>[0] = {},
    answer: (packet: Packet) => Sent | undefined = ack,
    pkg?: { id: number; price: string },
  ) => {
    const row = await foreign({ transport: 'radsec' });
    const nas = await openRadsecNas(port(), psk(row.identifier, row.secret, 'TLSv1.3'), answer);
    const account = await world.makeAccount(more, pkg);
    const accept = await nas.request(nas.encode(pap(account.account, world.password, 'radsec')));
    const own = [attribute('User-Name', account.account), attribute('Acct-Session-Id', `c${account.id}`), classOf(accept)];
    await nas.request(nas.encode(accounting('start', own)));
    const [session] = await world.sessions(account.id);
    if (!session) throw new Error('no session');
    return { nas, account, own, session };
  };
  const kick = (session: { id: number }) => kickSessions(service.deps.db, { session: session.id }, { now: service.clock.now() });

  it('kicks a session over the connection that the NAS opened', async () => {
    const { nas, account, session, own } = await online();
    expect(await kick(session)).toBe(1);
    await expect.poll(async () => (await world.sessions(account.id))[0]?.terminate_cause).toBe('kick');
    expect(await lastTask()).toMatchObject({ session_id: session.id, state: 'acked', via: 'radsec', tries: 1 });
    const [request] = nas.requests;
    expect(request && [request.code, textOf(request, 'Acct-Session-Id'), textOf(request, 'User-Name')]).toEqual([
      codes.disconnectRequest,
      `c${account.id}`,
      account.account,
    ]);
    const octets = [attribute('Acct-Session-Time', 9), attribute('Acct-Input-Octets', 70), attribute('Acct-Terminate-Cause', 6)];
    await nas.request(nas.encode(accounting('stop', [...own, ...octets])));
    expect(await world.sessions(account.id)).toMatchObject([{ terminate_cause: 'kick', up_bytes: 70 }]);
    nas.close();
  });

  it('shows a refusal with its reason, and ends a session that the NAS does not have', async () => {
    const refuse = (cause: number) => (): Sent => ({ code: codes.disconnectNak, attributes: [attribute('Error-Cause', cause)] });
    const busy = await online({}, refuse(506));
    await kick(busy.session);
    await expect.poll(async () => (await lastTask())?.state).toBe('refused');
    expect(await lastTask()).toMatchObject({ error_cause: 506 });
    expect(await world.sessions(busy.account.id)).toMatchObject([{ logout_at: null }]);
    const unknownSession = await online({}, refuse(503));
    await kick(unknownSession.session);
    await expect.poll(async () => (await world.sessions(unknownSession.account.id))[0]?.terminate_cause).toBe('lost');
    busy.nas.close();
    unknownSession.nas.close();
  });

  it('disconnects an account that is disabled, and changes the speed when the package is used up', async () => {
    const { nas, account } = await online();
    await service.deps.db.updateTable('subscriber').set({ status: 'disabled' }).where('id', '=', account.id).execute();
    await expect.poll(async () => (await world.sessions(account.id))[0]?.terminate_cause).toBe('kick');
    nas.close();

    const { db } = service.deps;
    const limits = { ratio: 80, action: 1 as const, limit_up: 16, limit_down: 32, create_at: 1, update_at: 1 };
    const policy = await db
      .insertInto('policy')
      .values({ agent_id: service.me.agent_id, name: 'Slow', ...limits })
      .returning('id')
      .executeTakeFirstOrThrow();
    const flow = {
      package_type: 'flow',
      time_capacity: null,
      time_unit: null,
      flow_capacity: 1,
      flow_unit: 'GB',
      policy_id: policy.id,
    } as const;
    const pkg = await world.makePackage({ ...flow, up_speed: 100, down_speed: 200 });
    const slow = await online({}, ack, pkg);
    await db
      .updateTable('holding')
      .set({ activated_at: service.clock.now(), used_flow: 1024 ** 3 })
      .where('subscriber_id', '=', slow.account.id)
      .execute();
    await refreshPackages(db, [slow.account.id], service.clock.now());
    await expect.poll(() => slow.nas.requests.length).toBe(1);
    const change = slow.nas.requests.at(-1);
    expect(change && [change.code, intOf(change, 'WISPr-Bandwidth-Max-Up'), intOf(change, 'WISPr-Bandwidth-Max-Down')]).toEqual([
      codes.coaRequest,
      16 * 8192,
      32 * 8192,
    ]);
    await expect.poll(async () => (await lastTask())?.state).toBe('acked');
    slow.nas.close();
  });

  it('is sent to a NAS over UDP, and reports a missing reply', { tags: 'all' }, async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
    const row = await foreign({ addr: '127.0.0.1', coa_port: socket.address().port });
    const nas = await openUdpNas(radius, row.secret);
    const { id, account } = await world.makeAccount();
    const start = async (sid: string) => {
      await nas.request(nas.encode(accounting('start', [row.self, attribute('User-Name', account), attribute('Acct-Session-Id', sid)])));
      return (await world.sessions(id)).at(-1) ?? { id: 0 };
    };
    let isDeaf = true;
    socket.on('message', (bytes, from) => {
      const packet = decodePacket(bytes);
      if (!packet || isDeaf) return;
      expect(requestSignature(packet, bytes, row.secret)).toBe('valid');
      socket.send(encodeReply(ack(packet), packet, row.secret), from.port, from.address);
    });
    const session = await start('u1');
    await kick(session);
    await expect.poll(async () => (await lastTask())?.state).toBe('sent');
    await expect.poll(async () => (await lastTask())?.state).toBe('no_answer');
    expect(await world.sessions(id)).toMatchObject([{ logout_at: null }]);
    isDeaf = false;
    await kick(session);
    await expect.poll(async () => (await lastTask())?.state).toBe('acked');
    expect(await lastTask()).toMatchObject({ via: 'udp' });
    expect(await world.sessions(id)).toMatchObject([{ terminate_cause: 'kick' }]);
    nas.close();
    socket.close();
  });
});

describe('quota of several sessions', () => {
  it('is granted in slices: a session gets its next slice early, and all sessions end when the quota is used', async () => {
    const { db } = service.deps;
    const limits = { ratio: 80, action: 2 as const, limit_up: 0, limit_down: 0, create_at: 1, update_at: 1 };
    const policy = await db
      .insertInto('policy')
      .values({ agent_id: service.me.agent_id, name: 'Stop', ...limits })
      .returning('id')
      .executeTakeFirstOrThrow();
    const flow = {
      package_type: 'flow',
      time_capacity: null,
      time_unit: null,
      flow_capacity: 1,
      flow_unit: 'GB',
      policy_id: policy.id,
    } as const;
    const account = await world.makeAccount({ allow_logins: 3 }, await world.makePackage(flow));
    const row = await foreign({ transport: 'radsec', vendor: 'chillispot' });
    const nas = await openRadsecNas(port(), psk(row.identifier, row.secret, 'TLSv1.3'), ack);
    const sessions = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const accept = await nas.request(nas.encode(pap(account.account, world.password, 'radsec')));
        return { sid: `q${n}`, used: 0, limit: (accept && intOf(accept, 'ChilliSpot-Max-Total-Octets')) ?? 0, class: classOf(accept) };
      }),
    );
    expect(sessions.map((s) => s.limit)).toEqual(Array(3).fill(Math.floor(1024 ** 3 / 3)));
    let seconds = 0;
    const report = async (session: (typeof sessions)[number], bytes: number) => {
      session.used += bytes;
      seconds += 10;
      // Usage from before the package began would not be charged to it.
      service.clock.advance(10);
      const own = [attribute('User-Name', account.account), attribute('Acct-Session-Id', session.sid), session.class];
      const octets = [attribute('Acct-Session-Time', seconds), attribute('Acct-Input-Octets', session.used)];
      await nas.request(nas.encode(accounting('interim', [...own, ...octets])));
    };
    // One session uses nearly its slice: it gets more, but never more than the remaining quota.
    const [first] = sessions;
    if (!first) throw new Error('no session');
    await report(first, 300 * 1024 ** 2);
    await expect.poll(() => nas.requests.length).toBe(1);
    const more = nas.requests[0];
    const limit = (more && intOf(more, 'ChilliSpot-Max-Total-Octets')) ?? 0;
    expect(limit).toBe(300 * 1024 ** 2 + Math.floor((1024 ** 3 - 300 * 1024 ** 2) / 3));
    // All of it is used: each session is disconnected with the cause quota.
    for (const session of sessions) await report(session, 1024 ** 3 / 2);
    while (await chargeOnce(service.deps));
    await expect.poll(async () => (await world.sessions(account.id)).map((s) => s.terminate_cause)).toEqual(['quota', 'quota', 'quota']);
    nas.close();
  });
});
