import { Random } from '@farlink/contract/kit/random.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyOf, lineOf, type Step } from '../../../test/ap-history.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { type Message, storeMessages } from './store.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service?.close());

const mac = '02:00:00:00:00:0a';

const addDevices = async (prefix: string, count: number) => {
  const { agent_id } = service.me;
  const rows = Array.from({ length: count }, (_, i) => ({ agent_id, name: `${prefix}${i}`, sn: `${prefix}${i}`, create_at: 1 }));
  return service.deps.db.insertInto('device').values(rows).returning(['id', 'sn']).execute();
};

/** A sample is a full list of access points with its message number; a change is an event. */
const messageOf =
  (steps: readonly Step[], names: 'mac' | 'name' | 'either') =>
  (step: Step, sn: string): Message => {
    const n = steps.indexOf(step) + 1;
    const s = step.state === 'up' ? 1 : 0;
    const status = { b: 'boot1', n, t: step.at, ap: [['deck', s, 0, mac] satisfies [string, 0 | 1, number, string]] };
    if (step.kind === 'sample') return { sn, conn: '-', content: { kind: 'status', body: status } };
    const doc = { ap: 'deck', s, ...((names === 'mac' || (names === 'either' && n % 2 === 0)) && { mac }) };
    return { sn, conn: '-', content: { kind: 'event', body: { id: `boot1-${n}`, k: 'ap', t: step.at, doc } } };
  };

/** Each gateway sends one message per round, or repeats one; each round is one commit. */
const store = async (queues: readonly Message[][]) => {
  const rounds = Math.max(...queues.map((q) => q.length));
  for (let round = 0; round < rounds; round++)
    await storeMessages(
      service.deps.pool,
      service.clock.now(),
      'node',
      queues.flatMap((q) => q[round] ?? []),
    );
};

const linesOf = async (ids: readonly number[]) => {
  const { rows } = await sql<{ id: number; line: ReturnType<typeof lineOf>; state: string }>`
    select d.id, a.state, (select json_agg(json_build_object('state', l.ap_state, 'at', l.create_at, 'duration', l.duration) order by l.create_at, l.id)
      from ap_link_log l where l.device_id = d.id) as line
    from device d left join ap a on a.device_id = d.id where d.id = any(${ids}::bigint[])`.execute(service.deps.db);
  return new Map(rows.map((r) => [r.id, r]));
};

/** Samples arrive at once, events with a random delay. */
const merged = (random: Random, steps: readonly Step[]): Step[] =>
  steps
    .filter((s) => s.kind === 'sample' || s.fromEvent)
    .map((step, i, all) => ({ step, sortKey: step.fromEvent ? i + random.next() * random.int(0, all.length) : i }))
    .sort((a, b) => a.sortKey - b.sortKey)
    .map(({ step }) => step);

describe('the log of access points', () => {
  const equalsEvents = async (names: 'mac' | 'name' | 'either') => {
    const random = new Random(7);
    const devices = await addDevices(`EVENT-${names}-`, 200);
    const from = service.clock.now() - 1000;
    const histories = devices.map((device) => {
      const steps = historyOf(random, { from, length: random.int(4, 16), maxS: random.int(1, 3) });
      return { ...device, steps, message: messageOf(steps, names) };
    });
    await store(
      histories.map(({ sn, steps, message }) =>
        merged(random, steps).flatMap((step) => Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => message(step, sn))),
      ),
    );
    const found = await linesOf(devices.map((d) => d.id));
    for (const { id, sn, steps } of histories) {
      const [first, ...rest] = steps;
      const expected = lineOf([...(first ? [first] : []), ...rest.filter((s) => s.fromEvent)]);
      expect(found.get(id)?.line, sn).toEqual(expected);
      expect(found.get(id)?.state, sn).toBe(expected.at(-1)?.state);
    }
  };

  it('equals the reported events, in any order of events and lists (by MAC or name)', () => equalsEvents('either'));
  it('equals the reported events, in any order of events and lists (by MAC)', { tags: 'all' }, () => equalsEvents('mac'));
  it('equals the reported events, in any order of events and lists (by name)', { tags: 'all' }, () => equalsEvents('name'));

  it('follows the order of the gateway’s reports, also when its clock is set back', async () => {
    const random = new Random(9);
    const devices = await addDevices('CLOCK', 200);
    const from = service.clock.now() - 3000;
    const histories = devices.map((device) => {
      const before = historyOf(random, { from, length: random.int(4, 12), maxS: random.int(1, 40) });
      const { at, state } = before.at(-1) ?? { at: from, state: 'up' };
      const after = { kind: 'change', at: at + 1000, state: state === 'up' ? 'offline' : 'up', fromEvent: true } as const;
      const clockSetBackAt = random.int(before.findIndex((s) => s.fromEvent) + 1, before.length);
      const ahead = random.int(0, 250);
      const steps = [...before.map((s, i) => ({ ...s, at: s.at + (i < clockSetBackAt ? ahead : 0) })), after];
      return { ...device, steps, message: messageOf(steps, 'mac') };
    });
    await store(histories.map(({ sn, steps, message }) => merged(random, steps).map((step) => message(step, sn))));
    const found = await linesOf(devices.map((d) => d.id));
    for (const { id, sn, steps } of histories) {
      let now = 0;
      const events = steps.flatMap((s) => {
        if (s.fromEvent) now = Math.max(now, s.at);
        return s.fromEvent ? [{ ...s, at: now }] : [];
      });
      expect(found.get(id)?.line, sn).toEqual(lineOf([...steps.slice(0, 1), ...events]));
    }
  });

  it('uses the MAC of the access point whose events have only a name', async () => {
    const [device] = await addDevices('NAMED', 1);
    const at = service.clock.now() - 100;
    const steps: Step[] = [
      { kind: 'change', at, state: 'up', fromEvent: true },
      { kind: 'sample', at: at + 10, state: 'up', fromEvent: false },
      { kind: 'change', at: at + 20, state: 'offline', fromEvent: true },
    ];
    await store([steps.map((step) => messageOf(steps, 'name')(step, device?.sn ?? ''))]);
    const rows = await service.deps.db
      .selectFrom('ap_link_log')
      .selectAll()
      .where('device_id', '=', device?.id ?? 0)
      .orderBy('id')
      .execute();
    expect(rows).toMatchObject([
      { ap_mac: mac, ap_state: 'up', duration: 20, create_at: at },
      { ap_mac: mac, ap_state: 'offline', duration: null, create_at: at + 20 },
    ]);
  });

  it('has rows for states seen only in lists, without gaps when events arrive late', async () => {
    const random = new Random(8);
    const calm = await addDevices('SEEN', 60);
    const stormy = await addDevices('STORM', 120);
    const from = service.clock.now() - 1000;
    const history = () => historyOf(random, { from, length: random.int(4, 16), minS: 1, maxS: 3, silent: 0.4 });
    const histories = [...calm, ...stormy].map((device, i) => {
      const steps = history();
      return { ...device, steps, message: messageOf(steps, 'mac'), inOrder: i < calm.length };
    });
    await store(
      histories.map(({ sn, steps, message, inOrder }) =>
        (inOrder ? steps.filter((s) => s.kind === 'sample' || s.fromEvent) : merged(random, steps)).map((step) => message(step, sn)),
      ),
    );
    const found = await linesOf(histories.map((d) => d.id));
    for (const { id, sn, steps, inOrder } of histories) {
      const { line = [], state } = found.get(id) ?? {};
      if (inOrder) expect(line, sn).toEqual(lineOf(steps));
      expect(state, sn).toBe(line.at(-1)?.state);
      for (const [i, interval] of line.entries()) {
        const next = line[i + 1];
        expect(interval.duration, sn).toBe(next ? next.at - interval.at : null);
        expect(next?.state, sn).not.toBe(interval.state);
        expect(steps.some((s) => (s.kind === 'sample' || s.fromEvent) && s.at === interval.at && s.state === interval.state)).toBe(true);
      }
      // No reported event was lost, even if others arrived late.
      for (const { at, state } of steps.filter((s) => s.fromEvent)) {
        const then = line.findLast((interval) => interval.at <= at);
        expect(then?.state, `${sn} at ${at}`).toBe(state);
      }
    }
  });
});
