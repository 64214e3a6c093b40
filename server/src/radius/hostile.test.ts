import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeRequest } from '@farlink/gateway/radius/authenticator.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutations } from '../../test/byte-fuzz.ts';
import { accounting, openRadiusWorld, openUdpNas, pap } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { runs } from '../../test/soak.ts';
import { seal } from '../kit/session/secret.ts';
import { openFairQueue } from './fair-queue.ts';
import { openPasswordCache } from './password-cache.ts';
import type { Radius } from './radius.ts';
import { openReplyCache } from './reply-cache.ts';

let service: ServiceDeps;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;

beforeAll(async () => {
  service = await serviceDeps();
  world = await openRadiusWorld(service.deps, service.me.agent_id, { radsec: { host: '127.0.0.1', port: 0 } });
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await service.close();
});

describe('the RADIUS server', () => {
  it('survives mutated packets of a known NAS, and continues to serve it', async () => {
    const row = await world.makeNas();
    await radius.reload();
    const { account } = await world.makeAccount({ allow_logins: 255 });
    const nas = await openUdpNas(radius, row.secret);
    const name = attribute('User-Name', account);
    const corpus = [
      nas.encode(pap(account, world.password, row.secret, [row.self, attribute('Calling-Station-Id', 'aa-bb-cc-dd-ee-ff')])),
      nas.encode(accounting('interim', [row.self, name, attribute('Acct-Session-Id', 'f'), attribute('Acct-Session-Time', 9)])),
      nas.encode(accounting('stop', [row.self, name, attribute('Acct-Session-Id', 'f'), attribute('Acct-Input-Octets', 4_294_967_295)])),
      nas.encode(accounting('on', [row.self])),
      nas.encode({ code: codes.statusServer, attributes: [row.self] }),
    ];
    const socket = createSocket('udp4');
    const source = { address: '127.0.0.9', accepts: 'both' as const, send: () => {} };
    const each = 10_000;
    for (let done = 0, total = runs(1_000_000, 10_000); done < total; done += each) {
      for (const bytes of mutations(corpus, each, done + 1)) {
        // Signed again, so that the contents reach the handlers too.
        const forged = bytes.length > 20 ? encodeRequestAgain(Buffer.from(bytes), row.secret) : undefined;
        radius.pipeline.receive(Buffer.from(bytes), { ...source, address: `127.0.${(done / each) % 250}.1` });
        if (forged) radius.pipeline.receive(forged, { ...source, address: `127.1.${(done / each) % 250}.1` });
      }
      await expect.poll(() => radius.pipeline.waiting()).toEqual({ access: 0, accounting: 0 });
    }
    for (const bytes of mutations(corpus, 500, 7)) socket.send(bytes, radius.authPort ?? 0, '127.0.0.1');
    const reply = await nas.request(nas.encode(pap(account, world.password, row.secret, [row.self])));
    expect(reply?.code).toBe(codes.accessAccept);
    expect(radius.refused.malformed).toBeGreaterThan(0);
    expect(radius.pipeline.results.failed).toBe(0);
    socket.close();
    nas.close();
  });

  it('survives noise on the RadSec port', async () => {
    for (const bytes of mutations([Buffer.from('16030100a5010000a10303', 'hex'), Buffer.from('GET / HTTP/1.1\r\n\r\n')], 60)) {
      const socket = connect(radius.radsecPort ?? 0, '127.0.0.1').on('error', () => {});
      const closed = new Promise((done) => socket.once('close', done));
      socket.resume();
      socket.end(bytes);
      await closed;
    }
    expect(radius.connections()).toBe(0);
  });

  it('answers a quiet NAS while another one floods it', async () => {
    const loud = await world.makeNas();
    const quiet = await world.makeNas();
    await radius.reload();
    const { account } = await world.makeAccount({ allow_logins: 255 });
    const nas = await openUdpNas(radius, quiet.secret);
    const flood = Array.from({ length: 9000 }, (_, i) =>
      encodeRequest(
        {
          code: codes.accountingRequest,
          id: i % 256,
          attributes: [loud.self, attribute('Acct-Status-Type', 3), attribute('Acct-Session-Id', `x${i}`), attribute('User-Name', account)],
        },
        loud.secret,
      ),
    );
    for (const bytes of flood) radius.pipeline.receive(bytes, { address: '127.0.0.8', accepts: 'accounting', send: () => {} });
    const waited = radius.pipeline.waiting().accounting;
    const reply = await nas.request(
      nas.encode(accounting('start', [quiet.self, attribute('User-Name', account), attribute('Acct-Session-Id', 'q')])),
    );
    expect(reply?.code).toBe(codes.accountingResponse);
    expect(waited).toBe(4000);
    expect(radius.pipeline.waiting().accounting).toBeGreaterThan(0);
    await radius.tick();
    const row = await service.deps.db.selectFrom('nas').select('drops').where('id', '=', loud.id).executeTakeFirstOrThrow();
    expect(row.drops).toBeGreaterThan(4000);
    nas.close();
  });
});

/** The packet with a valid authenticator, as a NAS with a fault would send it; undefined for a wrong length. */
const encodeRequestAgain = (bytes: Buffer, secret: string): Buffer | undefined => {
  const attributes = [];
  for (let at = 20; at + 2 <= bytes.length; ) {
    const size = bytes[at + 1] ?? 0;
    if (size < 2 || at + size > bytes.length) return undefined;
    attributes.push({ type: bytes[at] ?? 0, value: bytes.subarray(at + 2, at + size) });
    at += size;
  }
  return encodeRequest({ code: bytes[0] ?? 0, id: bytes[1] ?? 0, attributes }, secret);
};

describe('a queue', () => {
  it('serves clients in turn', async () => {
    const served: string[] = [];
    const dropped: string[] = [];
    const queue = openFairQueue<string>({
      perClient: 3,
      inTotal: 100,
      batch: 2,
      workers: 1,
      maxWaitMs: 1000,
      lingerMs: 1,
      work: async (items) => void served.push(...items),
      drop: (item) => dropped.push(item),
    });
    expect(['a1', 'a2', 'a3', 'a4'].map((item) => queue.add(1, item))).toEqual([true, true, true, false]);
    queue.add(2, 'b1');
    await queue.drained();
    expect(served).toEqual(['a1', 'b1', 'a2', 'a3']);
    expect(dropped).toEqual([]);
  });
});

describe('a cache', () => {
  it('of replies forgets them after 30 to 60 seconds', () => {
    let now = 0;
    const cache = openReplyCache(() => now);
    expect([cache.begin('a'), cache.begin('a')]).toEqual([true, false]);
    cache.complete('a', Buffer.from('x'));
    expect(cache.replyOf('a')).toEqual(Buffer.from('x'));
    now = 30_000;
    expect([cache.begin('a'), cache.replyOf('a')]).toEqual([false, Buffer.from('x')]);
    now = 60_000;
    expect([cache.begin('a'), cache.replyOf('a'), cache.size()]).toEqual([true, undefined, 1]);
  });

  it('of replies holds at most 100,000', () => {
    const cache = openReplyCache(() => 0);
    for (let i = 0; i < 200_000; i++) cache.begin(String(i));
    expect(cache.size()).toBeLessThanOrEqual(100_000);
    expect(cache.begin('199999')).toBe(false);
  });

  it('of passwords forgets them after ten minutes, and opens each sealed value separately', () => {
    let now = 0;
    const key = Buffer.alloc(32, 1);
    const cache = openPasswordCache(key, () => now);
    const old = seal(key, 'old');
    const changed = seal(key, 'new');
    expect([cache.passwordOf(old), cache.passwordOf(changed), cache.passwordOf('v1.bad')]).toEqual(['old', 'new', undefined]);
    expect(cache.size()).toBe(2);
    now = 10 * 60_000;
    cache.sweep();
    expect(cache.size()).toBe(0);
  });
});
