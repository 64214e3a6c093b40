import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { runs } from '../../../test/soak.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makePartitions } from '../../db/partitions.ts';
import { chargeOnce } from '../../domain/metering/run/charge-waiting.ts';
import { grantPackages } from '../../domain/metering/store/grant-packages.ts';
import { type Message, storeMessages } from './store.ts';

let service: ServiceDeps;
let packages: number[];
let round = 0;
beforeAll(async () => {
  service = await serviceDeps();
  await makePartitions(service.deps.pool, service.clock.now());
  const base = { agent_id: service.me.agent_id, price: '1.00', device_ids: [1], create_at: 1, update_at: 1 };
  const rows = [
    { ...base, kind: 'online' as const, name: 'small', package_type: 'flow' as const, flow_capacity: 4, flow_unit: 'KB' as const },
    { ...base, kind: 'online' as const, name: 'hour', package_type: 'time' as const, time_capacity: 1, time_unit: 'hour' as const },
    {
      ...base,
      kind: 'online' as const,
      name: 'daily',
      package_type: 'time_flow' as const,
      time_capacity: 20,
      time_unit: 'day' as const,
      flow_capacity: 60,
      flow_unit: 'KB' as const,
      cycle_length: 1,
      cycle_unit: 'hour' as const,
      cycle_quota: 3,
      cycle_quota_unit: 'KB' as const,
    },
    { ...base, kind: 'extra' as const, name: 'extra', package_type: 'flow' as const, flow_capacity: 2, flow_unit: 'KB' as const },
  ];
  packages = (await service.deps.db.insertInto('package').values(rows).returning('id').execute()).map(({ id }) => id);
});
afterAll(() => service.close());

/** One account on one gateway: sessions in boots, with reports of its traffic. */
interface History {
  readonly holdingCounts: readonly number[];
  /** Sessions: pause before it, number of reports, bytes of each report; `reboots` before it. */
  readonly sessions: readonly {
    readonly pause: number;
    readonly amounts: readonly (readonly [number, number])[];
    readonly reboots: boolean;
  }[];
  /** Order of arrival, and which messages come twice. */
  readonly disorder: readonly number[];
}

const histories: fc.Arbitrary<History> = fc.record({
  holdingCounts: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  sessions: fc.array(
    fc.record({
      pause: fc.integer({ min: 1, max: 7200 }),
      amounts: fc.array(fc.tuple(fc.nat(2000), fc.nat(4000)), { minLength: 1, maxLength: 4 }),
      reboots: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  disorder: fc.array(fc.nat(1000), { minLength: 4, maxLength: 24 }),
});

const every = 300;

/** Actual usage of the account, counted by the test. */
interface Totals {
  bytes: number;
  seconds: number;
}

const messagesOf = ({ sessions }: History, sn: string, account: string, start: number) => {
  const totals: Totals = { bytes: 0, seconds: 0 };
  const messages: Message[] = [];
  let t = start;
  let boot = 0;
  let seq = 0;
  let event = 0;
  const send = (content: Message['content']) => messages.push({ sn, conn: 'c1', content });
  const bootName = () => `boot${boot}`;
  for (const { pause, amounts, reboots } of sessions) {
    t += pause;
    if (reboots) [boot, seq, event] = [boot + 1, 0, 0];
    const sid = `${bootName()}-${++event}`;
    const happened = (doc: Record<string, string | number | boolean>) =>
      send({ kind: 'event', body: { id: `${bootName()}-${++event}`, k: 'user', t, doc: { sid, acc: account, ...doc } } });
    happened({ in: true });
    for (const [u, d] of amounts) {
      send({
        kind: 'batch',
        stream: 'user',
        body: { b: bootName(), seq: ++seq, t0: t, dt: every, rows: [{ acc: account, u, d, ...(d % 2 === 0 && { s: every }) }] },
      });
      t += every;
      totals.bytes += u + d;
      totals.seconds += every;
    }
    happened({ in: false });
  }
  return { messages, totals, end: t };
};

/** Messages of a boot in another order, some of them twice. */
const disturbed = (messages: readonly Message[], disorder: readonly number[]): Message[] => {
  const order = messages.map((message, i) => ({ message, at: i + (disorder[i % disorder.length] ?? 0) / 200 }));
  const twice = order.flatMap(({ message, at }, i) => ((disorder[i % disorder.length] ?? 0) % 3 === 0 ? [{ message, at: at + 2 }] : []));
  return [...order, ...twice].toSorted((a, b) => a.at - b.at).map(({ message }) => message);
};

const addAccounts = async (all: readonly History[], start: number) => {
  const { db } = service.deps;
  const { agent_id } = service.me;
  const names = all.map((_, i) => ({ sn: `USE${round}X${i}`, account: `use${round}x${i}` }));
  const devices = await db
    .insertInto('device')
    .values(names.map(({ sn }) => ({ agent_id, name: sn, sn, create_at: 1 })))
    .returning('id')
    .execute();
  const users = await db
    .insertInto('subscriber')
    .values(names.map(({ account }, i) => subscriberRow({ agent_id, account, device_id: devices[i]?.id ?? null })))
    .returning('id')
    .execute();
  const grants = all.flatMap(({ holdingCounts }, i) =>
    holdingCounts.map((n) => ({ subscriber_id: users[i]?.id ?? 0, agent_id, package_id: packages[n] ?? 0, price: '1.00', count: 1 })),
  );
  await db.transaction().execute((tx) => grantPackages(tx, grants, start));
  const hello = names.map(({ sn }) => ({
    sn,
    conn: 'c1',
    content: { kind: 'hello' as const, body: { boot: 'boot0', fw: '03.00.00', h: hashOf({}) } },
  }));
  await storeMessages(service.deps.pool, start, 'node', hello);
  return names.map((name, i) => ({ ...name, device: devices[i]?.id ?? 0, id: users[i]?.id ?? 0 }));
};

/** Charged usage of the accounts, in holdings and overrun, and the daily traffic of their devices. */
const chargedOf = async (accounts: readonly { readonly id: number; readonly device: number }[]) => {
  const { rows } = await sql<{ id: number; bytes: number; seconds: number; reported: number; charged: number }>`
    select a.id, coalesce(h.bytes, 0)::bigint + coalesce(m.overrun_bytes, 0) as bytes, coalesce(h.seconds, 0)::bigint + coalesce(m.overrun_seconds, 0) as seconds,
      coalesce(d.reported, 0)::bigint as reported, coalesce(d.charged, 0)::bigint as charged
    from unnest(${accounts.map(({ id }) => id)}::bigint[], ${accounts.map(({ device }) => device)}::bigint[]) a(id, device)
      left join meter m on m.subscriber_id = a.id,
      lateral (select sum(used_flow) as bytes, sum(used_time) as seconds from holding where subscriber_id = a.id) h,
      lateral (select sum(user_bytes) as reported, sum(charged_bytes + overrun_bytes) as charged from traffic_day where device_id = a.device) d`.execute(
    service.deps.db,
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
};

/** Histories per round: they are stored together, as reports of a fleet. */
const atOnce = 50;
const rounds = runs(2000, 8, 2);

test('every byte and second that gateways report is charged once, in any order, repeated, over reboots', {
  timeout: 3_600_000,
}, async () => {
  const { deps, clock } = service;
  for (; round < rounds; round++) {
    const all = fc.sample(histories, { numRuns: atOnce, seed: 4711 + round });
    const start = clock.now();
    // The clock runs for months.
    await makePartitions(deps.pool, start);
    const accounts = await addAccounts(all, start);
    const accounted = all.map((history, i) => messagesOf(history, accounts[i]?.sn ?? '', accounts[i]?.account ?? '', start));
    clock.advance(Math.max(...accounted.map(({ end }) => end)) - start + 60);
    const queues = accounted.map(({ messages }, i) => disturbed(messages, all[i]?.disorder ?? []));
    for (let step = 0; queues.some((queue) => queue.length > 0); step++) {
      const chunk = queues.flatMap((queue, i) => queue.splice(0, 1 + ((all[i]?.disorder[step % 4] ?? 0) % 4)));
      await storeMessages(deps.pool, clock.now(), 'node', chunk);
      if (step % 2 === 0) while (await chargeOnce(deps));
    }
    while (await chargeOnce(deps));
    const charged = await chargedOf(accounts);
    for (const [i, { id }] of accounts.entries()) {
      const { bytes, seconds } = accounted[i]?.totals ?? { bytes: -1, seconds: -1 };
      expect(charged.get(id), JSON.stringify(all[i])).toEqual({ bytes, seconds, reported: bytes, charged: bytes });
    }
  }
});
