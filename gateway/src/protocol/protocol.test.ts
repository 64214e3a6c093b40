import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandState } from '../../../contract/src/protocol/command.ts';
import { networkOf } from '../../../contract/src/protocol/network.ts';
import { authorizationAt } from './authorization.ts';
import { canonical } from './canonical.ts';
import { plausibleTime } from './clock.ts';
import { linkWait } from './command.ts';
import { Frames } from './frame.ts';
import { type GatewayMessage, shapeOf } from './message.ts';
import { addReceived, isReceived, type Received, receivedUpTo } from './sequence.ts';
import { digestOf, hashOf, shadowState } from './shadow.ts';
import { type Parsed, parse, parseJson } from './shape.ts';
import { rowTimes } from './stream.ts';
import { isOwnFilter, matches, upTail } from './topic.ts';

const now = 1_790_000_000;
const parseMessage = (tail: string, body: unknown): Parsed<GatewayMessage> => {
  const shape = shapeOf(tail);
  return shape ? parse(shape, body) : { reason: 'no such message' };
};
const reason = (tail: string, body: unknown) => {
  const parsed = parseMessage(tail, body);
  return 'reason' in parsed ? parsed.reason : undefined;
};

const h = hashOf({});
const whole: Record<string, unknown> = {
  hello: {
    boot: 'a1b2c3',
    fw: '03.02.01',
    fwp: '03.01.09',
    h,
    link: '6d',
    cfg: { wifi: 12 },
    caps: ['docker'],
    docker: 1,
    up: 86_400,
    pm: '4.2',
  },
  bye: { r: 'lost' },
  s: {
    b: 'a1b2c3',
    n: 1,
    t: now,
    l: [{ i: '6d', s: 1, r: 618, q: 92, u: 123_456, d: 987_654 }],
    cur: '6d',
    lan: [1, 1, 0, 0],
    ap: [['ap1', 1, 12, '02:00:00:00:00:01']],
    p: [22.5431, 113.9012, 12.3, 181, 1],
  },
  't/load': {
    b: 'a1b2c3',
    seq: 118,
    t0: now - 120,
    dt: 60,
    c: ['cpu', 'mem'],
    v: [
      [1, 2],
      [3, 4],
    ],
  },
  't/user': { b: 'a1b2c3', seq: 1, t0: now, c: ['acc', 'u', 'd', 'i', 'via', 's', 'pk'], v: [['crew', 1, 2, '6d', 'local', 60, 480]] },
  't/mgt': { b: 'a1b2c3', seq: 1, t0: now, c: ['svc', 'u', 'd', 'i', 'pk'], v: [['mqtt', 1, 2, '6d', null]] },
  't/dpi': { b: 'a1b2c3', seq: 1, t0: now, c: ['app', 'u', 'd', 'n'], v: [['91.124', 1024, 4096, 3]] },
  't/mdpi': { b: 'a1b2c3', seq: 1, t0: now, c: ['app', 'u', 'd', 'i', 'n'], v: [['91.222', 1024, 4096, '6d', 1]] },
  e: { id: 'a1b2c3-57', k: 'link', t: now, from: '6d', to: 'l_band', why: 'snr', mode: 'backup' },
  'cfg/wifi': { rev: 13, ok: true, h },
  'r/0123456789ab': { st: 'run', pct: 40, code: 1 },
  enrol: { hw: '02:42:ac:11:00:02', model: 'FG-200', fw: '03.02.01' },
};

describe('a message', () => {
  test.each(Object.entries(whole))('%s is parsed, and an unknown field changes nothing', (tail, body) => {
    const plain = parseMessage(tail, body);
    expect(plain).toHaveProperty('value');
    if (tail !== 'e') expect(parseMessage(tail, { ...Object(body), later: { x: 1 } })).toEqual(plain);
  });

  test.each([
    ['hello', { boot: 'a1b2c3', fw: 'new', h }, /^fw: a text like/],
    ['hello', { boot: 'a1b2c3', fw: '03.02.01', h, pm: '4.2 beta' }, /^pm: a text like/],
    ['t/user', { b: 'a1b2c3', seq: 1, t0: now, c: ['acc', 'u', 'd', 'pk'], v: [['crew', 1, 2, -1]] }, /^v\[0\]\.pk: a whole number/],
    ['t/mdpi', { b: 'a1b2c3', seq: 1, t0: now, c: ['app', 'u', 'd', 'n'], v: [['7', 1, 2, 2 ** 31]] }, /^v\[0\]\.n: a whole number/],
    ['t/mdpi', { b: 'a1b2c3', seq: 1, t0: now, c: ['app', 'u', 'd'], v: [['mqtt', 1, 2]] }, /^v\[0\]\.app: a text like/],
    ['hello', { boot: 'a1b2c3', fw: '03.02.01', h, cfg: { 'no/name': 1 } }, /^cfg: keys like/],
    ['bye', { r: 'bored' }, 'r: one of lost stop reboot'],
    ['s', { b: 'a1b2c3', n: 0, t: now }, /^n: a whole number/],
    ['s', { b: 'a1b2c3', n: 1, t: now, p: [91, 0, 0, 0, 1] }, 'p[0]: a number -90..90'],
    ['s', { b: 'a1b2c3', n: 1, t: now, l: [{ i: '6d', s: 3 }] }, 'l[0].s: one of 0 1 2'],
    ['t/load', { b: 'a1b2c3', seq: 1, t0: now, c: ['cpu'], v: [] }, 'c: a column mem'],
    ['t/load', { b: 'a1b2c3', seq: 1, t0: now, c: ['cpu', 'mem'], v: [[1]] }, 'v[0]: a list of 2'],
    ['t/load', { b: 'a1b2c3', seq: 1, t0: now, c: ['cpu', 'mem'], v: [[1, 'x']] }, 'v[0].mem: a whole number 0..100'],
    [
      't/flow',
      { b: 'a1b2c3', seq: 1, t0: now, c: ['i', 'u', 'd'], v: [['lte', 1, 75_000_000_001]] },
      'v[0].d: at most 75000000000 bytes in 60 s',
    ],
    ['t/dpi', { b: 'a1b2c3', seq: 1, t0: now, dt: 0, c: ['app', 'u', 'd'], v: [['7', 75_000_000_001, 0]] }, /^v\[0\]\.u: at most/],
    ['e', { id: 'a1b2c3-1', k: 'user', t: now, sid: 's', acc: 'a', in: 0, u: 2 ** 52, d: 0 }, /^u: a whole number/],
    ['e', { id: 'a1b2c3-1', k: 'party', t: now }, /^k: one of link/],
    ['e', { id: 'a1b2c3-1', k: 'fence', t: now, in: 1 }, /^fence: a text/],
    ['e', { id: 'a1b2c3-1', k: 'lock', t: now, lock: 'x\u0000' }, /^lock: a text/],
    ['cfg/wifi', { rev: 13, ok: true }, 'h: the hash that was applied'],
    ['cfg/wifi', { rev: 0, loc: true, h }, 'doc: the document'],
    ['cfg/wifi', { rev: 0, loc: true, h, doc: { rows: [{ name: { toString: 1 } }] } }, /^doc: no names/],
    ['cfg/wifi', { rev: 0, loc: true, h, doc: JSON.parse('{"a":[{"__proto__":null}]}') }, /^doc: no names/],
    ['e', { id: 'a1b2c3-1', k: 'lock', t: now, lock: 'x', by: { valueOf: 1 } }, /no names/],
    ['r/0123456789ab', { st: 'done', out: { rows: [{ name: { toString: 1 } }] } }, /^out: no names/],
    ['r/0123456789ab', { st: 'maybe' }, 'st: one of ack run done fail'],
    ['hello', [], 'body: an object'],
  ])('%s %j is refused with a reason', (tail, body, why) => {
    expect(reason(tail, body)).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
  });

  test('that is not JSON is refused, and an unknown topic has no shape', () => {
    const shape = shapeOf('s');
    expect(shape && parseJson(shape, '{')).toEqual({ reason: 'body: not JSON' });
    for (const tail of ['', 'x', 't/none', 'cfg/No', 'cfg/a/b', 'r/xyz', 'hello/1', 't/constructor']) expect(shapeOf(tail)).toBeUndefined();
  });

  test('with arbitrary content never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(whole)), fc.jsonValue(), (tail, body) => {
        parseMessage(tail, body);
        parseMessage(tail, { ...Object(whole[tail]), ...Object(body) });
      }),
    );
  });
});

describe('topics', () => {
  test('belong to one gateway', () => {
    expect(upTail('S1', 'gw/1/S1/up/s')).toBe('s');
    for (const topic of ['gw/1/S2/up/s', 'gw/1/S1/dn/s', 'gw/1/S1/up/', 'gw/1/+/up/s', 's']) expect(upTail('S1', topic)).toBeUndefined();
    expect(isOwnFilter('S1', 'gw/1/S1/dn/#')).toBe(true);
    for (const filter of ['#', 'gw/1/+/dn/#', 'gw/1/S1/#', 'gw/1/S1/up/#', 'gw/1/S2/dn/#', '$SYS/#'])
      expect(isOwnFilter('S1', filter)).toBe(false);
  });

  test('are matched by the rules of MQTT', () => {
    expect(matches('a/#', 'a/b/c') && matches('a/+/c', 'a/b/c') && matches('a/#', 'a')).toBe(true);
    expect(matches('a/+', 'a/b/c') || matches('a/b', 'a/b/c') || matches('a/b/c', 'a/b')).toBe(false);
  });
});

test('packets are found in chunks of any size, and an oversized packet is refused by its header', () => {
  const packets = [
    [0xc0, 0],
    [0x30, 3, 1, 2, 3],
    [0x30, 0x80, 1, ...Array.from({ length: 128 }, () => 7)],
  ].map((p) => Uint8Array.from(p));
  const all = Uint8Array.from(packets.flatMap((p) => [...p]));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 30 }), (cuts) => {
      const frames = new Frames(200);
      const found: Uint8Array[] = [];
      let at = 0;
      for (const cut of [...cuts, all.length]) {
        found.push(...frames.push(all.subarray(at, at + cut)));
        at += cut;
      }
      expect(found.map((f) => [...f])).toEqual(packets.map((p) => [...p]));
    }),
  );
  expect(() => new Frames(127).push(Uint8Array.from([0x30, 0x80, 1]))).toThrow('packet too large');
  expect(() => new Frames(127).push(Uint8Array.from([0x30, 0xff, 0xff, 0xff, 0xff]))).toThrow('malformed packet');
});

test('a batch ignores unknown columns, and the length of a series is limited', () => {
  const shape = shapeOf('t/load');
  const read = (more: object) => {
    const body = { b: 'boot1', seq: 1, t0: 1_790_000_000, c: ['cpu', 'mem'], v: [[1, 2]], ...more };
    return shape && parseJson(shape, JSON.stringify(body));
  };
  expect(read({ c: ['cpu', 'mem', 'constructor'], v: [[1, 2, 3]] })).toMatchObject({ value: { body: { rows: [{ cpu: 1, mem: 2 }] } } });
  expect(read({ dt: 86_400, v: Array.from({ length: 91 }, () => [1, 2]) })).toHaveProperty('value');
  expect(read({ dt: 86_400, v: Array.from({ length: 92 }, () => [1, 2]) })).toHaveProperty('reason');
});

test('batches are accepted exactly once, in any order and with repetitions', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        Array.from({ length: 40 }, (_, i) => i + 1),
        { minLength: 1 },
      ),
      fc.infiniteStream(fc.nat(39)),
      (seqs, again) => {
        let taken: Received = [];
        const accepted: number[] = [];
        const offer = (seq: number) => {
          const next = addReceived(taken, seq);
          if (next.isNew) accepted.push(seq);
          taken = next.received;
        };
        for (const seq of seqs) {
          offer(seq);
          offer(seqs[again.next().value % seqs.length] ?? seq);
        }
        expect(accepted.toSorted((a, b) => a - b)).toEqual(seqs.toSorted((a, b) => a - b));
        for (let seq = 1; seq <= receivedUpTo(taken); seq++) expect(seqs).toContain(seq);
        expect(seqs.every((seq) => isReceived(taken, seq))).toBe(true);
      },
    ),
  );
  expect(addReceived([1, 3, 5, 6], 4).received).toEqual([1, 6]);
});

describe('a section', () => {
  test('has the same hash for any order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (doc) => {
        const turned = Object.fromEntries(Object.entries(doc).toReversed());
        expect(hashOf(JSON.parse(JSON.stringify(turned)))).toBe(hashOf(JSON.parse(JSON.stringify(doc))));
      }),
    );
    expect(canonical({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
    expect(digestOf({ a: '1', b: '2' })).toBe(digestOf({ b: '2', a: '1' }));
  });

  test('is applied only when the gateway confirms the hash of its revision', () => {
    const desired = { rev: 13, hash: h, sent_at: null };
    const echo = { rev: 13, hash: h, ok: true, local: false };
    expect(shadowState(desired, undefined)).toBe('pending');
    expect(shadowState({ ...desired, sent_at: 1 }, { ...echo, rev: 12 })).toBe('applying');
    expect(shadowState(desired, echo)).toBe('applied');
    expect(shadowState(desired, { ...echo, hash: 'other' })).toBe('failed');
    expect(shadowState(desired, { ...echo, ok: false, hash: null })).toBe('failed');
    expect(shadowState(desired, { ...echo, hash: 'other', local: true })).toBe('drifted');
    // The console is about to overwrite this local change.
    expect(shadowState(desired, { rev: 0, hash: 'other', ok: true, local: true })).toBe('pending');
  });
});

test('a heavy command and a large section wait on L-band, a critical command does not', () => {
  expect(linkWait('l_band', 100, 'file.get')).toBe('link_volume');
  expect(linkWait('l_band', 100, 'cfg.get')).toBe('link_volume');
  expect(linkWait('l_band', 100, 'sys.reboot')).toBeUndefined();
  expect(linkWait('l_band', 1025)).toBe('link_size');
  expect(linkWait('6d', 20_000, 'file.get')).toBeUndefined();
  expect(['6d', 'lte2', 'l_band', 'low_orbit', 'wire', '6dx', undefined].map(networkOf)).toEqual([
    '6d',
    'lte',
    'l_band',
    'low_orbit',
    'unknown',
    'unknown',
    'unknown',
  ]);
});

test('a command that has ended cannot change its state', () => {
  for (const end of ['done', 'failed', 'expired', 'cancelled'] as const)
    for (const move of ['ack', 'run', 'done', 'fail', 'expire', 'cancel'] as const)
      expect(commandState.can(move, commandState.id(end))).toBe(false);
  expect(commandState.can('done', commandState.id('queued'))).toBe(true);
});

test('an impossible clock is ignored, and a batch keeps its spacing', () => {
  expect([now - 10, now + 60, 0, now + 86_400].map((t) => plausibleTime(t, now))).toEqual([now - 10, now + 60, now, now]);
  const batch = { b: 'a1b2', seq: 1, dt: 60, rows: [{}, {}, {}] };
  expect(rowTimes('load', { ...batch, t0: now - 600 }, now)).toEqual([now - 600, now - 540, now - 480]);
  expect(rowTimes('load', { ...batch, t0: 5 }, now)).toEqual([now - 120, now - 60, now]);
  expect(rowTimes('flow', { ...batch, t0: now - 60 }, now)).toEqual([now - 60, now - 60, now - 60]);
});

test('an authorization ends by its date, and a suspension does not', () => {
  expect(authorizationAt('formal', now, now)).toBe('expired');
  expect(authorizationAt('test', now + 1, now)).toBe('test');
  expect(authorizationAt('suspended', 1, now)).toBe('suspended');
  expect(authorizationAt('formal', null, now)).toBe('formal');
});
