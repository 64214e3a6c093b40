import { Random } from '@farlink/contract/kit/random.ts';
import { toBytes } from '@farlink/contract/kit/units.ts';
import { type StreamName, streams } from '@farlink/gateway/protocol/stream.ts';
import { sql } from 'kysely';
import { makePartitions } from '../db/partitions.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';
import { sweepAccounts } from '../domain/metering/run/sweep-accounts.ts';
import { type Message, storeMessages } from '../field/store/store.ts';
import type { Deps } from '../kit/deps.ts';
import { auditDays, auditRows } from './audit-history.ts';

const day = 86_400;
/** Days of usage before the first start. */
export const usageDays = 14;
const hour = 3600;
interface Window {
  readonly from: number;
  readonly to: number;
}
interface Slot extends Window {
  /** Weight of the bytes of an online period. */
  readonly weight: number;
  /** Some hours of the slot, in seconds of the day. */
  readonly window: (random: Random) => Window;
}

/** Ends before midnight, because a report belongs to the day of its end. */
const hoursFrom = (from: number, count: number): Window => ({ from: from * hour, to: Math.min(24 * hour - 1, (from + count) * hour) });

/** Times of day in UTC+8: quiet nights with a few watches, use over the day, most in the evening. */
const slots: readonly Slot[] = [
  {
    from: 0,
    to: 17,
    weight: 0.6,
    window: (random) => hoursFrom(random.next() < 0.15 ? random.int(0, 5) : random.int(7, 14), 3),
  },
  {
    from: 17,
    to: 24,
    weight: 1.4,
    window: (random) => hoursFrom(random.int(17, 20), random.int(4, 5)),
  },
];
const boot = 'hist0001';

interface Person {
  readonly device_id: number;
  readonly sn: string;
  readonly account: string;
  readonly flow_capacity: number | null;
  readonly flow_unit: 'KB' | 'MB' | 'GB' | 'TB' | null;
}

/** People with a package to use on a gateway that has been in service; a gateway would refuse the others. */
const peopleOf = async ({ db }: Deps, at: number): Promise<Person[]> => {
  const { rows } = await sql<Person>`
    select d.id as device_id, d.sn, s.account, p.flow_capacity, p.flow_unit
    from subscriber s join device d on d.id = s.device_id join package p on p.id = s.package_id
    where d.access_at is not null and s.status = 'normal' and exists (select from holding h join package k on k.id = h.package_id
      where h.subscriber_id = s.id and k.kind = 'online' and h.start_at <= ${at} and h.state in ('normal', 'to_be_used')) order by d.id, s.id`.execute(
    db,
  );
  return rows;
};

/** Bytes of one online period: a share of what the package allows in a month. */
const bytesOf = (random: Random, { flow_capacity, flow_unit }: Person, weight: number): number => {
  const capacity = flow_capacity !== null && flow_unit !== null ? toBytes(flow_capacity, flow_unit) : 20 * 1024 ** 3;
  return Math.floor((capacity / 60) * (0.1 + random.next() * 0.6) * weight);
};

type BatchRow = Readonly<Record<string, string | number>>;
const isStreamName = (name: string): name is StreamName => name in streams;

/** Applications of people on board, by carrier and application of the protocol map, with their weight. */
const apps = [
  ['91.197', 22],
  ['91.10160', 18],
  ['188.124', 14],
  ['91.10181', 12],
  ['10120', 9],
  ['91.10600', 8],
  ['91.10800', 7],
  ['7.147', 6],
  ['91.10420', 6],
  ['51', 5],
  ['10300', 4],
  ['5', 2],
  ['37', 1],
] as const;

/** Divides the bytes of an online period among a few applications; the rest is not recognised. */
const appRows = (random: Random, acc: string, u: number, d: number): BatchRow[] => {
  const used = apps.map(([app, weight]) => ({ app, share: random.next() < 0.25 ? weight * random.next() : 0 }));
  const totalShare = used.reduce((sum, { share }) => sum + share, 0) * 1.02 + 0.01;
  const rows = used.map(({ app, share }) => ({ app, u: Math.floor((u * share) / totalShare), d: Math.floor((d * share) / totalShare) }));
  const rest = rows.reduce((left, row) => ({ u: left.u - row.u, d: left.d - row.d }), { u, d });
  return [...rows, { app: '0', ...rest }]
    .filter((row) => row.u + row.d > 0)
    .map((row) => ({ ...row, acc, n: 1 + Math.floor((row.u + row.d) / 2_000_000) }));
};

/** Highest rate of a minute in KB/s: a multiple of the average. */
const peakOf = (random: Random, bytes: number, seconds: number) =>
  Math.ceil((bytes / Math.max(seconds, 60) / 1024) * (2 + random.next() * 4));

/** Traffic of the gateway itself: service, application and bytes. */
const ownOf = (random: Random) =>
  [
    { svc: 'mqtt', app: '91.222', u: random.int(200_000, 900_000), d: random.int(100_000, 400_000) },
    { svc: 'file', app: '91', u: random.int(10_000, 90_000), d: random.int(300_000, 3_000_000) },
    { svc: 'ntp', app: '9', u: random.int(4_000, 9_000), d: random.int(4_000, 9_000) },
  ] as const;

interface Use {
  readonly sn: string;
  readonly people: readonly Person[];
  readonly slot: Slot;
  /** First second of the day. */
  readonly day: number;
  readonly seq: number;
  /** Source of audit data; undefined: older than its history. */
  readonly audit: Random | undefined;
}

/** Messages of a gateway for one slot of a day: logins, traffic by account and link, its own traffic, logouts. */
const slotMessages = (random: Random, { sn, people, slot, day: dayStart, seq, audit }: Use): Message[] => {
  const window = slot.window(random);
  const used = { from: dayStart + window.from, to: dayStart + window.to };
  const send = (content: Message['content']): Message => ({ sn, conn: boot, content });
  const periods = people
    .filter(() => random.next() < 0.55)
    .map((person, i) => {
      const start = used.from + random.int(0, 1800);
      const end = used.to - random.int(0, 900);
      const bytes = bytesOf(random, person, slot.weight);
      const u = Math.floor(bytes * (0.05 + random.next() * 0.2));
      return { acc: person.account, sid: `${boot}-${seq}-${i}`, start, end, u, d: bytes - u };
    });
  const events = periods.flatMap(({ acc, sid, start, end, u, d }, i) => [
    send({ kind: 'event', body: { id: `${boot}-${seq * 1000 + i * 2}`, k: 'user', t: start, doc: { sid, acc, in: true, via: 'local' } } }),
    send({
      kind: 'event',
      body: { id: `${boot}-${seq * 1000 + i * 2 + 1}`, k: 'user', t: end, doc: { sid, acc, in: false, u, d, why: 'user', via: 'local' } },
    }),
  ]);
  const total = periods.reduce((sum, { u, d }) => ({ u: sum.u + u, d: sum.d + d }), { u: 0, d: 0 });
  const ownRows = ownOf(random);
  const own = ownRows.reduce((sum, { u, d }) => ({ u: sum.u + u, d: sum.d + d }), { u: 0, d: 0 });
  const rows: Readonly<Record<string, readonly BatchRow[]>> = {
    ...(audit && Object.fromEntries(auditRows(audit, sn, periods))),
    user: periods.map(({ acc, u, d, start, end }) => ({
      acc,
      u,
      d,
      i: '6d',
      via: 'local',
      s: end - start,
      pk: peakOf(random, u + d, end - start),
    })),
    dpi: periods.flatMap(({ acc, u, d }) => appRows(random, acc, u, d)),
    mgt: ownRows.map(({ svc, u, d }) => ({ svc, i: '6d', u, d, pk: Math.ceil((u + d) / 60 / 1024) })),
    mdpi: ownRows.map(({ app, u, d }) => ({ app, i: '6d', u, d, n: 1 + Math.floor((u + d) / 500_000) })),
    flow: [{ i: '6d', u: total.u + own.u, d: total.d + own.d }],
  };
  const batches = Object.entries(rows).flatMap(([stream, list]) =>
    isStreamName(stream) && list.length > 0
      ? [
          send({
            kind: 'batch',
            stream,
            body: { b: boot, seq, t0: used.from, dt: used.to - used.from, rows: list },
          }),
        ]
      : [],
  );
  return [...events, ...batches];
};

/** Two weeks of use through the handlers of the device protocol and metering, on a fast clock. */
export const seedUsage = async (deps: Deps) => {
  const now = deps.clock.now();
  // Audit data has its own source, so that it does not change the traffic.
  const random = new Random(1212);
  const audit = new Random(1515);
  await makePartitions(deps.pool, now);
  const today = Math.floor((now + 8 * 3600) / day) * day - 8 * 3600;
  let seq = 0;
  for (let ago = usageDays; ago >= 1; ago--)
    for (const slot of slots) {
      const start = today - ago * day;
      const begin = start + slot.from * hour;
      const end = start + slot.to * hour;
      seq++;
      const fleets = Map.groupBy(await peopleOf(deps, begin), ({ sn }) => sn);
      const source = ago <= auditDays ? audit : undefined;
      const messages = [...fleets].flatMap(([sn, people]) => slotMessages(random, { sn, people, slot, day: start, seq, audit: source }));
      await storeMessages(deps.pool, end, 'demo', messages, deps.config.secretKey);
      const then = { ...deps, clock: { now: () => end } };
      while (await chargeOnce(then));
      await deps.db.transaction().execute((db) => sweepAccounts(db, deps.config, end));
    }
};
