import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply } from '@farlink/gateway/radius/authenticator.ts';
import { decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';
import { attribute, intOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accounting, openRadiusWorld, openUdpNas, pap, type Sent } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';
import type { Radius } from './radius.ts';

let service: ServiceDeps;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;

beforeAll(async () => {
  service = await serviceDeps();
  world = await openRadiusWorld(service.deps, service.me.agent_id);
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await service.close();
});

const GB = 1024 ** 3;
const MB = 1024 ** 2;

const policyOf = async (action: 1 | 2, limit: number) => {
  const { id } = await service.deps.db
    .insertInto('policy')
    .values({
      agent_id: service.me.agent_id,
      name: `policy ${randomUUID()}`,
      ratio: 80,
      action,
      limit_up: limit,
      limit_down: limit,
      create_at: 1,
      update_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
const flowPackage = (policy_id: number, speed = 0) =>
  world.makePackage({
    package_type: 'flow',
    time_capacity: null,
    time_unit: null,
    flow_capacity: 1,
    flow_unit: 'GB',
    up_speed: speed,
    down_speed: speed,
    policy_id,
  });

const accept = (packet: Packet): Sent => ({
  code: packet.code === codes.disconnectRequest ? codes.disconnectAck : codes.coaAck,
  attributes: [],
});
const refuse =
  (cause: number) =>
  (packet: Packet): Sent => ({
    code: packet.code === codes.disconnectRequest ? codes.disconnectNak : codes.coaNak,
    attributes: [attribute('Error-Cause', cause)],
  });

/** A router with a session of an account, which answers CoA requests as the test says. */
const openRouter = async (more: Parameters<typeof world.makeNas>[0], pkg: { id: number; price: string }) => {
  const socket = createSocket('udp4');
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const row = await world.makeNas({ addr: '127.0.0.1', coa_port: socket.address().port, ...more });
  await radius.reload();
  const nas = await openUdpNas(radius, row.secret);
  const answers: { reply: ((packet: Packet) => Sent) | undefined } = { reply: accept };
  const requests: Packet[] = [];
  socket.on('message', (bytes, from) => {
    const packet = decodePacket(bytes);
    if (!packet) return;
    const reply = answers.reply?.(packet);
    if (!requests.some(({ authenticator }) => authenticator.equals(packet.authenticator))) requests.push(packet);
    if (reply) socket.send(encodeReply(reply, packet, row.secret), from.port, from.address);
  });
  const account = await world.makeAccount({}, pkg);
  const accepted = await nas.request(nas.encode(pap(account.account, world.password, row.secret, [row.self])));
  const own = [row.self, attribute('User-Name', account.account), attribute('Acct-Session-Id', `s${account.id}`)];
  const classes = accepted?.attributes.filter(({ type }) => type === 25) ?? [];
  const report = (status: 'start' | 'interim' | 'stop', seconds: number, bytes: number) =>
    nas.request(
      nas.encode(
        accounting(status, [
          ...own,
          ...classes,
          attribute('Acct-Session-Time', seconds),
          attribute('Acct-Input-Octets', 0),
          attribute('Acct-Output-Octets', bytes % 2 ** 32),
        ]),
      ),
    );
  await report('start', 0, 0);
  const session = async () => {
    const [found] = await world.sessions(account.id);
    if (!found) throw new Error('no session');
    return found;
  };
  const events = async () =>
    (
      await service.deps.db
        .selectFrom('service_event')
        .select(['kind', 'error_cause', 'limit_down'])
        .where('subscriber_id', '=', account.id)
        .orderBy('id')
        .execute()
    ).filter(({ kind }) => kind === 'enforced' || kind === 'not_enforced');
  const close = () => {
    nas.close();
    socket.close();
  };
  return { row, account, accepted, answers, requests, report, session, events, close };
};

type Router = Awaited<ReturnType<typeof openRouter>>;

const lastTask = async () => {
  const tasks = await service.deps.db.selectFrom('coa_task').selectAll().orderBy('id').execute();
  return tasks.at(-1);
};

/** Lets the time to the next try pass, after each refusal. */
const passRetries = async (router: Router, afterEach: () => Promise<void> = async () => {}) => {
  for (const [i, wait] of [5, 20, 60].entries()) {
    await expect.poll(async () => (await lastTask())?.due_at).toBe(service.clock.now() + wait);
    expect(router.requests).toHaveLength(i + 1);
    await afterEach();
    service.clock.advance(wait);
  }
};

/** Uses bytes in a minute, and charges them. */
const use = async (router: Router, seconds: number, bytes: number) => {
  service.clock.advance(60);
  await router.report('interim', seconds, bytes);
  while (await chargeOnce(service.deps));
};

describe('a change of service', () => {
  it.each([
    [
      'mikrotik',
      (p: Packet) => [textOf(p, 'Mikrotik-Rate-Limit'), intOf(p, 'Mikrotik-Total-Limit-Gigawords')],
      '524288/524288',
      '4000000000/4000000000',
    ],
    [
      'chillispot',
      (p: Packet) => [intOf(p, 'WISPr-Bandwidth-Max-Down'), intOf(p, 'ChilliSpot-Max-Total-Gigawords')],
      524_288,
      4_000_000_000,
    ],
    ['standard', (p: Packet) => [intOf(p, 'WISPr-Bandwidth-Max-Up'), undefined], 524_288, 4_000_000_000],
    ['cisco', (p: Packet) => [intOf(p, 'Airespace-Data-Bandwidth-Average-Contract'), undefined], 524, 4_000_000],
    ['huawei', (p: Packet) => [intOf(p, 'Huawei-Output-Average-Rate'), undefined], 524_288, 4_000_000_000],
    ['aruba', (p: Packet) => [intOf(p, 'HP-Bandwidth-Max-Egress'), undefined], 524, 4_000_000],
    ['ruckus', (p: Packet) => [intOf(p, 'WISPr-Bandwidth-Max-Down'), undefined], 524_288, 4_000_000_000],
  ] as const)('of a %s lifts the speed and the quota by value', async (vendor, read, slow, unlimited) => {
    const pkg = await flowPackage(await policyOf(1, 64));
    const router = await openRouter({ vendor }, pkg);
    await use(router, 60, GB);
    await expect.poll(() => router.requests.length).toBe(1);
    const [slowDown] = router.requests;
    expect(slowDown && read(slowDown)[0]).toBe(slow);
    await expect.poll(async () => (await router.session()).grant_down).toBe(64);
    await world.grant(router.account.id, pkg);
    await expect.poll(() => router.requests.length).toBe(2);
    const lift = router.requests[1];
    expect(lift && read(lift)[0]).toBe(unlimited);
    await expect.poll(async () => (await router.session()).grant_down).toBe(0);
    expect((await router.events()).map(({ kind, limit_down }) => [kind, limit_down])).toEqual([
      ['enforced', 64],
      ['enforced', 0],
    ]);
    router.close();
  });

  it('that the NAS refuses is repeated, then the session ends; until then the old limits are shown', async () => {
    const router = await openRouter({ vendor: 'mikrotik' }, await flowPackage(await policyOf(1, 64), 1024));
    router.answers.reply = (packet) => (packet.code === codes.disconnectRequest ? accept(packet) : refuse(405)(packet));
    await use(router, 60, GB);
    await passRetries(router, async () => {
      expect(await router.session()).toMatchObject({ grant_down: 1024, not_enforced_at: null, logout_at: null });
    });
    await expect.poll(async () => (await router.session()).terminate_cause).toBe('quota');
    expect(router.requests.map(({ code }) => code)).toEqual([...Array(4).fill(codes.coaRequest), codes.disconnectRequest]);
    expect(await router.events()).toMatchObject([{ kind: 'not_enforced', error_cause: 405 }]);
    router.close();
  });

  it('is sent again without Event-Timestamp and Message-Authenticator to a NAS that does not know them', async () => {
    const router = await openRouter({ vendor: 'standard' }, await flowPackage(await policyOf(1, 64), 1024));
    router.answers.reply = (packet) => {
      const isKnown = intOf(packet, 'Event-Timestamp') === undefined && octetsOf(packet, 'Message-Authenticator') === undefined;
      return isKnown ? accept(packet) : refuse(401)(packet);
    };
    await use(router, 60, GB);
    await expect.poll(async () => (await router.session()).grant_down).toBe(64);
    expect(router.requests).toHaveLength(2);
    router.close();
  });

  it('that the NAS refuses is marked, counts what was used beyond, and is asked for again with the next report', async () => {
    const router = await openRouter({ vendor: 'mikrotik', end_refused: false }, await flowPackage(await policyOf(1, 64), 1024));
    router.answers.reply = refuse(405);
    await use(router, 60, GB);
    await passRetries(router);
    await expect.poll(async () => (await router.session()).not_enforced_cause).toBe(405);
    expect(router.requests.every(({ code }) => code === codes.coaRequest)).toBe(true);
    router.answers.reply = accept;
    await use(router, 200, GB + 100 * MB);
    await expect.poll(async () => (await router.session()).not_enforced_at).toBeNull();
    expect(await router.session()).toMatchObject({ grant_down: 64, overshoot_bytes: 100 * MB });
    expect((await router.events()).map(({ kind }) => kind)).toEqual(['not_enforced', 'enforced']);
    router.close();
  });

  it('of a session that the NAS does not have ends the session', async () => {
    const router = await openRouter({ vendor: 'mikrotik' }, await flowPackage(await policyOf(1, 64), 1024));
    router.answers.reply = refuse(503);
    await use(router, 60, GB);
    await expect.poll(async () => (await router.session()).terminate_cause).toBe('lost');
    router.close();
  });

  it('that the NAS does not answer is marked without a cause', async () => {
    const router = await openRouter({ vendor: 'mikrotik' }, await flowPackage(await policyOf(1, 64), 1024));
    // A request of a process that ended is not answered either.
    await service.deps.db
      .insertInto('coa_task')
      .values({
        session_id: (await router.session()).id,
        nas_id: router.row.id,
        kind: 'change',
        reason: 'change',
        state: 'sent',
        tries: 4,
        grant_up: 64,
        grant_down: 64,
        create_at: service.clock.now() - 31,
        sent_at: service.clock.now() - 31,
      })
      .execute();
    await expect.poll(async () => (await router.session()).not_enforced_at).toBe(service.clock.now());
    expect(await router.session()).toMatchObject({ not_enforced_cause: null, logout_at: null });
    router.close();
  });
});

describe('a NAS without byte limits', () => {
  it('reports more often when little is left, and the session ends before the next report would show the end of the quota', async () => {
    const router = await openRouter({ vendor: 'standard' }, await flowPackage(await policyOf(2, 0), 1024));
    expect(router.accepted && intOf(router.accepted, 'Acct-Interim-Interval')).toBe(Math.floor(GB / (2048 * 1024) / 4));
    // 8 MB/s: the rest is used after 68 seconds.
    await use(router, 60, 480 * MB);
    expect((await router.session()).limit_at).toBe(service.clock.now() + 68);
    service.clock.advance(67);
    await radius.tick();
    expect(router.requests).toHaveLength(0);
    service.clock.advance(1);
    await expect.poll(() => router.requests.length).toBe(1);
    expect(router.requests[0]?.code).toBe(codes.disconnectRequest);
    await router.report('stop', 130, 1020 * MB);
    expect(await router.session()).toMatchObject({ terminate_cause: 'quota', down_bytes: 1020 * MB });
    router.close();
  });
});
