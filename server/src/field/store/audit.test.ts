import { randomBytes } from 'node:crypto';
import { type AuditStream, auditStreams } from '@farlink/gateway/protocol/audit.ts';
import { parse } from '@farlink/gateway/protocol/shape.ts';
import { batchOf } from '@farlink/gateway/protocol/stream.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wrongBatches } from '../../../test/audit-roots.ts';
import { emptyTables } from '../../../test/setup/empty-tables.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { addVno } from '../../../test/vno.ts';
import { openDatabase } from '../../db/connect.ts';
import { auditTables, makePartitions } from '../../db/partitions.ts';
import { type AuditKind, auditKinds, auditSpecs, kindOfStream } from '../../domain/audit/kinds.ts';
import { commit } from '../../domain/audit/leaves.ts';
import { blindIndex, indexKeyOf, openValues } from '../../domain/audit/sealed-values.ts';
import { monthOf, unwrapKey } from '../../domain/audit/subject-keys.ts';
import { seal } from '../../kit/session/secret.ts';
import { type Message, storeMessages } from './store.ts';

const idNumber = '110101199003077758';
const minute = 60;
let service: ServiceDeps;
let devices: number[];
let anna: number;
let west: number;
const now = () => service.clock.now();
const secretKey = () => service.deps.config.secretKey;

beforeAll(async () => {
  service = await serviceDeps();
  const { db, pool } = service.deps;
  await makePartitions(pool, now());
  west = await addVno(db, service.me.agent_id);
  const rows = ['AUD1', 'AUD2', 'AUD3'].map((sn) => ({ agent_id: service.me.agent_id, name: sn, sn, create_at: 1 }));
  devices = (await db.insertInto('device').values(rows).returning('id').execute()).map(({ id }) => id);
  const row = subscriberRow({ agent_id: service.me.agent_id, account: 'Anna', device_id: devices[0] ?? 0 });
  const person = { ...row, name: '安娜', phone: '139 1234-5678', id_number: seal(secretKey(), idNumber) };
  anna = (await db.insertInto('subscriber').values(person).returning('id').executeTakeFirstOrThrow()).id;
});
afterAll(() => service.close());

beforeEach(async () => {
  const tables = [...auditTables, 'audit_batch', 'audit_key', 'audit_terminal_state', 'device_stream', 'device_transfer'];
  await emptyTables(service.deps.pool, tables);
});

type Row = Readonly<Record<string, unknown>>;

/** As the protocol reads it from the wire. */
const message = (sn: string, stream: AuditStream, seq: number, rows: readonly Row[]): Message => {
  const c = [...new Set([samples[stream](), ...rows].flatMap((row) => Object.keys(row)))];
  const v = rows.map((row) => c.map((name) => row[name] ?? null));
  const parsed = parse(batchOf(stream), { b: 'boot1', seq, t0: now(), c, v });
  if ('reason' in parsed) throw new Error(parsed.reason);
  return { sn, conn: 'c1', content: { kind: 'batch', stream, body: parsed.value } };
};
const store = (...messages: Message[]) => storeMessages(service.deps.pool, now(), 'test', messages, secretKey());

const reversed = (one: Message): Message => {
  const { content } = one;
  if (content.kind !== 'batch') return one;
  return { ...one, content: { ...content, body: { ...content.body, rows: content.body.rows.toReversed() } } };
};

const salt = () => randomBytes(16).toString('hex');
const common = () => ({ at: now() - minute, acc: 'anna', ip: '10.1.0.7', mac: 'AA:BB:CC:00:11:22' });
const samples: Readonly<Record<AuditStream, () => Row>> = {
  a_auth: () => ({ ...common(), act: 'login', li: now() - minute, pip: '203.0.113.7', pr: '1024-2047', sid: 'boot1-7' }),
  a_id: () => ({ ...common(), app: 'QQ', id: '10001', act: 'login', sip: '198.51.100.3', sp: 443 }),
  a_url: () => ({ ...common(), h: 'news.example', u: 'http://news.example/a?b=1', t: '头条', cat: 'news', sip: '198.51.100.4', sp: 80 }),
  a_bbs: () => ({ ...common(), f: '天涯', act: 'post', au: 'sailor', t: '出海日记', c: '风很大', u: 'http://bbs.example/1', salt: salt() }),
  a_mail: () => ({
    ...common(),
    dir: 'send',
    from: 'Anna@ship.example',
    to: 'a@x.example, B@y.example',
    cc: 'c@z.example',
    sub: '账单',
    n: 2,
    sz: 123_456,
    salt: salt(),
  }),
  a_term: () => ({ ...common(), os: 'android', br: 'HUAWEI', ssid: 'ship', sig: -61 }),
};
const streams = Object.keys(auditStreams).filter((name): name is AuditStream => Object.hasOwn(samples, name));

const rowsOf = async (kind: AuditKind): Promise<Record<string, unknown>[]> =>
  (await service.deps.pool.query(`select * from ${auditSpecs[kind].table} order by batch, n`)).rows;
const batches = () => service.deps.db.selectFrom('audit_batch').selectAll().orderBy('seq').execute();
const keyOf = async (id: unknown) =>
  (await service.deps.pool.query('select * from audit_key where id = $1', [id])).rows[0] as {
    subject: string;
    month: number;
    wrapped: string;
    unusable_at: number | null;
  };
const openRow = async (row: Record<string, unknown>) => {
  const key = unwrapKey(secretKey(), (await keyOf(row.key_id)).wrapped);
  if (!key || !Buffer.isBuffer(row.sealed)) throw new Error('not sealed');
  return openValues(key, row.sealed);
};
const expectRoots = async () => expect(await wrongBatches(service.deps.pool)).toEqual([]);

describe.each(streams)('%s', (stream) => {
  const kind = kindOfStream(stream);

  it('stores each row once when batches are repeated and reordered, with the roots of the stored rows', async () => {
    const of = (seq: number) => message('AUD1', stream, seq, [samples[stream](), { ...samples[stream](), at: now() - seq }]);
    const all = [1, 2, 3, 4].map(of);
    const [one, two, three, four] = all;
    if (!one || !two || !three || !four) throw new Error('no messages');
    await store(four, two, two);
    await store(one, four);
    await Promise.all([store(three, two), store(three), store(...all)]);
    expect((await batches()).map(({ seq, count, boot, seal }) => [seq, count, boot, seal])).toEqual(
      [1, 2, 3, 4].map((seq) => [seq, 2, 'boot1', null]),
    );
    const rows = await rowsOf(kind);
    expect(rows).toHaveLength(8);
    for (const row of rows) expect(row).toMatchObject({ device_id: devices[0], agent_id: service.me.agent_id, subscriber_id: anna });
    await expectRoots();
  });

  it('detects a changed row by its root', async () => {
    await store(message('AUD1', stream, 1, [samples[stream](), samples[stream]()]));
    await expectRoots();
    await service.deps.pool.query(`update ${auditSpecs[kind].table} set at = at + 1 where n = 1`);
    expect(await wrongBatches(service.deps.pool)).toHaveLength(1);
  });

  it('stores no empty batch and ignores unknown columns', async () => {
    await store(message('AUD1', stream, 1, []), message('AUD1', stream, 2, [{ ...samples[stream](), later: 5 }]));
    expect((await batches()).map(({ seq }) => seq)).toEqual([2]);
  });
});

describe('sealed values', () => {
  it('open with the key of subscriber and month, and equal their commitment', async () => {
    await store(
      message('AUD1', 'a_auth', 1, [samples.a_auth()]),
      message('AUD1', 'a_bbs', 1, [samples.a_bbs()]),
      message('AUD1', 'a_mail', 1, [samples.a_mail()]),
    );
    const expected = {
      auth: { name: '安娜', phone: '139 1234-5678', id_number: idNumber },
      forum: { title: '出海日记', content: '风很大' },
      mail: { sender: 'Anna@ship.example', receiver: 'a@x.example, B@y.example', cc: 'c@z.example', subject: '账单' },
    };
    for (const [kind, values] of [
      ['auth', expected.auth],
      ['forum', expected.forum],
      ['mail', expected.mail],
    ] as const) {
      const [row = {}] = await rowsOf(kind);
      const opened = await openRow(row);
      expect(opened.values).toEqual(values);
      const commitment = kind === 'auth' ? row.added_commitment : row.commitment;
      const used = kind === 'auth' ? opened.addedSalt : opened.salt;
      expect(commit(Buffer.from(used ?? '', 'hex'), Object.values(values))).toEqual(commitment);
      expect(await keyOf(row.key_id)).toMatchObject({ subject: `s:${anna}`, month: monthOf(now()) });
    }
    expect(await service.deps.db.selectFrom('audit_key').select('id').execute()).toHaveLength(1);
  });

  it('are in no column as plain text', async () => {
    await store(...streams.map((stream) => message('AUD1', stream, 1, [samples[stream]()])));
    const secrets = ['安娜', '1391234', '139 1234', idNumber, '出海日记', '风很大', 'ship.example', 'x.example', 'z.example', '账单'];
    for (const kind of auditKinds) {
      const text = JSON.stringify(await rowsOf(kind));
      const hex = secrets.map((secret) => Buffer.from(secret).toString('hex'));
      const bytes = (await rowsOf(kind)).flatMap((row) => Object.values(row).filter(Buffer.isBuffer)).map((one) => one.toString('hex'));
      for (const secret of secrets) expect(text).not.toContain(secret);
      for (const secret of hex) expect(bytes.join(' ')).not.toContain(secret);
    }
  });

  it('are found by their blind indexes', async () => {
    await store(
      message('AUD1', 'a_auth', 1, [samples.a_auth(), { ...samples.a_auth(), acc: 'ghost' }]),
      message('AUD1', 'a_bbs', 1, [samples.a_bbs()]),
      message('AUD1', 'a_mail', 1, [samples.a_mail()]),
    );
    const indexKey = indexKeyOf(secretKey());
    const count = async (table: string, column: string, field: string, value: string) => {
      const expectedIndex = blindIndex(indexKey, field, value);
      const where = column === 'receiver_index' ? `$1::bigint = any(${column})` : `${column} = $1::bigint`;
      return (await service.deps.pool.query(`select from ${table} where ${where}`, [expectedIndex])).rowCount;
    };
    expect(await count('audit_auth', 'name_index', 'name', '安娜')).toBe(1);
    expect(await count('audit_auth', 'phone_index', 'phone', '13912345678')).toBe(1);
    expect(await count('audit_auth', 'id_number_index', 'id_number', ` ${idNumber}`)).toBe(1);
    expect(await count('audit_auth', 'id_number_index', 'id_number', idNumber.replace('1', '2'))).toBe(0);
    expect(await count('audit_forum', 'title_index', 'title', '出海日记')).toBe(1);
    expect(await count('audit_mail', 'sender_index', 'sender', 'anna@SHIP.example')).toBe(1);
    for (const address of ['a@x.example', 'b@y.example', 'C@Z.example'])
      expect(await count('audit_mail', 'receiver_index', 'receiver', address)).toBe(1);
    expect(await count('audit_mail', 'subject_index', 'subject', '账单')).toBe(1);
  });

  it('have separate keys for months, accounts without a subscriber and terminals', async () => {
    const rows = [
      samples.a_bbs(),
      { ...samples.a_bbs(), at: now() - 40 * 86_400 },
      { ...samples.a_bbs(), acc: 'Ghost' },
      { ...samples.a_bbs(), acc: '' },
    ];
    await store(message('AUD1', 'a_bbs', 1, rows));
    const subjects = (await service.deps.db.selectFrom('audit_key').select(['subject', 'month']).execute()).map(({ subject, month }) => [
      subject,
      month,
    ]);
    const month = monthOf(now());
    expect(subjects.toSorted()).toEqual(
      [
        [`s:${anna}`, month],
        [`s:${anna}`, monthOf(now() - 40 * 86_400)],
        [`a:${devices[0]}:ghost`, month],
        ['m:aa:bb:cc:00:11:22', month],
      ].toSorted(),
    );
    for (const row of await rowsOf('forum')) expect((await openRow(row)).values.title).toBe('出海日记');
  });

  it('of rows without such values need no key', async () => {
    const { t: _, c: __, ...bare } = samples.a_bbs();
    await store(
      message('AUD1', 'a_bbs', 1, [bare, { ...bare, t: ' ' }]),
      message('AUD2', 'a_auth', 1, [{ ...samples.a_auth(), acc: 'ghost' }]),
    );
    for (const row of [...(await rowsOf('forum')), ...(await rowsOf('auth'))])
      expect(row).toMatchObject({ key_id: null, sealed: null, commitment: null });
    expect(await service.deps.db.selectFrom('audit_key').select('id').execute()).toEqual([]);
    await expectRoots();
  });
});

describe('a value that cannot be decrypted', () => {
  it('is left out if it is the ID number of a subscriber, and reported with the id', async () => {
    const { db } = service.deps;
    for (const [i, broken] of ['v1.AAAA', 'plain', seal(randomBytes(32), idNumber)].entries()) {
      await db.updateTable('subscriber').set({ id_number: broken }).where('id', '=', anna).execute();
      const { unreadable } = await store(message('AUD1', 'a_auth', i + 1, [samples.a_auth(), samples.a_auth()]));
      expect(unreadable).toEqual([{ what: 'id number of a subscriber', subscriber_id: anna }]);
    }
    await db
      .updateTable('subscriber')
      .set({ id_number: seal(secretKey(), idNumber) })
      .where('id', '=', anna)
      .execute();
    const rows = await rowsOf('auth');
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      expect((await openRow(row)).values).toEqual({ name: '安娜', phone: '139 1234-5678' });
      expect(row.id_number_index).toBeNull();
    }
    await expectRoots();
  });

  it('gets a new key if its key cannot be unwrapped; the old key is kept', async () => {
    await store(message('AUD1', 'a_bbs', 1, [samples.a_bbs()]));
    const [first = {}] = await rowsOf('forum');
    const { wrapped } = await keyOf(first.key_id);
    for (const [i, broken] of ['nothing', seal(randomBytes(32), 'x'), seal(secretKey(), 'too short')].entries()) {
      await service.deps.pool.query('delete from audit_key where id <> $1', [first.key_id]);
      await service.deps.pool.query('update audit_key set wrapped = $1, unusable_at = null where id = $2', [broken, first.key_id]);
      const { unreadable } = await store(message('AUD1', 'a_bbs', i + 2, [samples.a_bbs(), samples.a_bbs()]));
      expect(unreadable).toEqual([{ what: 'audit key', key_id: first.key_id }]);
      const last = (await rowsOf('forum')).at(-1) ?? {};
      expect((await openRow(last)).values.content).toBe('风很大');
      expect(last.key_id).not.toBe(first.key_id);
      // The next batch uses the new key and reports nothing.
      expect((await store(message('AUD1', 'a_bbs', i + 20, [samples.a_bbs()]))).unreadable).toEqual([]);
      expect((await rowsOf('forum')).at(-1)?.key_id).toBe(last.key_id);
    }
    await service.deps.pool.query('update audit_key set wrapped = $1 where id = $2', [wrapped, first.key_id]);
    expect((await openRow(first)).values.content).toBe('风很大');
    expect((await keyOf(first.key_id)).unusable_at).toBe(now());
    await expectRoots();
  });

  it('is followed by values with a new key after the key of the subscriber was deleted', async () => {
    await store(message('AUD1', 'a_mail', 1, [samples.a_mail()]));
    await service.deps.db.deleteFrom('audit_key').where('subject', '=', `s:${anna}`).execute();
    await store(message('AUD1', 'a_mail', 2, [samples.a_mail()]));
    const [old = {}, next = {}] = await rowsOf('mail');
    expect(await keyOf(old.key_id)).toBeUndefined();
    expect((await openRow(next)).values.subject).toBe('账单');
    await expectRoots();
  });
});

describe('two processes', () => {
  it('that store rows of the same subjects at once create one key for each, without a deadlock', { timeout: 60_000 }, async () => {
    const url = service.deps.pool.options.connectionString ?? '';
    const pools = [await openDatabase(url), await openDatabase(url)];
    const accounts = Array.from({ length: 20 }, (_, i) => `crew${i}`);
    const kinds = ['a_bbs', 'a_mail'] as const;
    const rounds = 15;
    // Devices differ, so that only the keys are shared: MACs without an account have the same subject on every device.
    const rows = (stream: (typeof kinds)[number], round: number) =>
      accounts.map((_, i) => ({ ...samples[stream](), acc: '', mac: `aa:bb:cc:00:${10 + round}:${10 + i}` }));
    const run = async (n: number) => {
      for (let round = 1; round <= rounds; round++) {
        const messages = kinds.map((stream) => message(n === 0 ? 'AUD1' : 'AUD2', stream, round, rows(stream, round)));
        const mixed = n === 0 ? messages : messages.toReversed().map((one) => reversed(one));
        await storeMessages(pools[n]?.pool ?? service.deps.pool, now(), `p${n}`, mixed, secretKey());
      }
    };
    try {
      await Promise.all([run(0), run(1)]);
    } finally {
      for (const { db } of pools) await db.destroy();
    }
    const keys = await service.deps.db.selectFrom('audit_key').select('subject').execute();
    expect(keys).toHaveLength(rounds * accounts.length);
    expect(new Set(keys.map(({ subject }) => subject)).size).toBe(keys.length);
    expect(await rowsOf('mail')).toHaveLength(2 * rounds * accounts.length);
    for (const row of [...(await rowsOf('mail')), ...(await rowsOf('forum'))].filter((_, i) => i % 17 === 0)) await openRow(row);
    await expectRoots();
  });
});

describe('owner and subscriber', () => {
  it('are those at the time of the row if the device was transferred', async () => {
    const { db } = service.deps;
    const device_id = devices[1] ?? 0;
    const done = { sn: 'AUD2', keep_users: false, state: 'done' as const, deadline: now(), operator: '', command_id: 'c', device_id };
    const parties = (from_agent_id: number, to_agent_id: number, finish_at: number) => ({ ...done, from_agent_id, to_agent_id, finish_at });
    const own = service.me.agent_id;
    // Two transfers: platform -> west -> platform -> west.
    const moves = [parties(own, west, now() - 3000), parties(west, own, now() - 2000), parties(own, west, now() - 1000)];
    await db
      .insertInto('device_transfer')
      .values(moves.map((move) => ({ ...move, create_at: move.finish_at - 10 })))
      .execute();
    await db.updateTable('device').set({ agent_id: west }).where('id', '=', device_id).execute();
    const times = [4000, 3001, 3000, 2500, 2000, 1500, 1000, 10];
    await store(
      message(
        'AUD2',
        'a_auth',
        1,
        times.map((ago) => ({ ...samples.a_auth(), at: now() - ago })),
      ),
    );
    const expected = await Promise.all(
      times.map(
        async (ago) => (await sql<{ id: number }>`select device_owner(${device_id}, ${now() - ago}) as id`.execute(db)).rows[0]?.id,
      ),
    );
    const rows = await rowsOf('auth');
    expect(rows.map(({ agent_id }) => agent_id)).toEqual(expected);
    expect(new Set(expected)).toEqual(new Set([own, west]));
    // The account belongs to the platform, so the rows of the other VNO have no subscriber and no values of it.
    for (const row of rows) {
      expect(row.subscriber_id).toBe(row.agent_id === own ? anna : null);
      expect(row.sealed === null).toBe(row.agent_id === west);
    }
    expect((await batches())[0]?.agent_id).toBe(west);
    await expectRoots();
    await db.updateTable('device').set({ agent_id: own }).where('id', '=', device_id).execute();
  });

  it('the subscriber is empty for an unknown or missing account', async () => {
    const rows = ['ghost', ''].map((acc) => ({ ...samples.a_url(), acc }));
    await store(message('AUD1', 'a_url', 1, rows), message('AUD1', 'a_term', 1, [{ at: now(), mac: 'aa:bb:cc:00:11:33', os: 'ios' }]));
    expect((await rowsOf('url')).map(({ account, subscriber_id }) => [account, subscriber_id])).toEqual([
      ['ghost', null],
      ['', null],
    ]);
    expect((await rowsOf('terminal'))[0]).toMatchObject({ account: null, subscriber_id: null, ip: null });
    await expectRoots();
  });

  it('the batch of an unknown device is ignored, others are stored', async () => {
    await store(message('NONE', 'a_url', 1, [samples.a_url()]), message('AUD1', 'a_url', 1, [samples.a_url()]));
    expect(await rowsOf('url')).toHaveLength(1);
  });

  it('an impossible row time becomes the time of storage, and an impossible login time is left out', async () => {
    const odd = [0, now() + 86_400, 99_999_999_999, now() - 91 * 86_400];
    await store(
      message(
        'AUD1',
        'a_auth',
        1,
        odd.map((at) => ({ ...samples.a_auth(), at, li: at, lo: now() - 1 })),
      ),
    );
    for (const row of await rowsOf('auth'))
      expect(row).toMatchObject({ at: now(), login_at: null, logout_at: now() - 1, subscriber_id: anna });
    await expectRoots();
  });
});

describe('terminals', () => {
  const mac = 'aa:bb:cc:00:11:22';
  const state = () => service.deps.db.selectFrom('audit_terminal_state').selectAll().orderBy('device_id').execute();

  it('keep the first and the last time, and the newest values, in any order of arrival', async () => {
    const t = now() - 5000;
    const see = (seq: number, ...rows: Row[]) =>
      message(
        'AUD1',
        'a_term',
        seq,
        rows.map((row) => ({ mac, os: 'android', ...row })),
      );
    await store(see(2, { at: t + 200, acc: 'Anna', ip: '10.0.0.2', br: 'vivo', ssid: 'deck', sig: -50 }, { at: t + 300, sig: -70 }));
    const [first] = await state();
    expect(first).toMatchObject({ first_at: t + 200, last_at: t + 300, account: 'Anna', subscriber_id: anna, ip: '10.0.0.2', signal: -70 });
    await store(see(1, { at: t, acc: 'ghost', ip: '10.0.0.1', br: 'OPPO', os: 'other', sig: -20 }));
    expect((await state())[0]).toEqual({ ...first, first_at: t });
    await store(see(3, { at: t + 400, acc: 'ghost', os: 'ios' }), see(3, { at: t + 900 }));
    expect(await state()).toEqual([
      { ...first, first_at: t, last_at: t + 400, account: 'ghost', subscriber_id: null, terminal_os: 'ios', brand: 'vivo' },
    ]);
    expect(await rowsOf('terminal')).toHaveLength(4);
  });

  it('are separate for each device and owner', async () => {
    const see = (sn: string, at: number) => message(sn, 'a_term', 1, [{ at, mac: mac.toUpperCase(), os: 'windows' }]);
    await store(see('AUD1', now() - 5), see('AUD3', now() - 3));
    expect((await state()).map(({ device_id, mac }) => [device_id, mac])).toEqual([
      [devices[0], mac],
      [devices[2], mac],
    ]);
  });
});

describe('hostile values', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['100 KB', 'x'.repeat(100_000)],
    ['control characters', 'a\u0001\u001b[31m\r\nb\u007f\u0085'],
    ['lone surrogates', '\ud800x\udc00'],
    ['emoji cut at every limit', `${'x'.repeat(63)}😀${'😀'.repeat(5000)}`],
    ['NUL', 'a\0b'],
    ['RTL override', '\u202eevil\u202c\u2066x\u2069\ufeff'],
    ['quotes', `'"\\x41\\u0000{}[],NULL`],
    ['empty', ''],
  ];

  it.each(texts)('%s: the row and its neighbours are stored and proven', async (_, text) => {
    const hostile: Readonly<Record<AuditStream, Row>> = {
      a_auth: {},
      a_id: { app: text, id: text, act: text },
      a_url: { h: text, u: text, t: text, cat: text },
      a_bbs: { f: text, au: text, t: text, c: text, u: text },
      a_mail: { from: text, to: text, cc: text, sub: text },
      a_term: { br: text, ssid: text },
    };
    for (const stream of streams) {
      await store(message('AUD1', stream, 1, [samples[stream](), { ...samples[stream](), ...hostile[stream] }, samples[stream]()]));
      expect(await rowsOf(kindOfStream(stream))).toHaveLength(3);
    }
    await expectRoots();
    const [, odd = {}] = await rowsOf('url');
    const stored = String(odd.title ?? '');
    expect(stored.length).toBeLessThanOrEqual(512);
    expect(stored.isWellFormed()).toBe(true);
    expect(stored).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const [, post = {}] = await rowsOf('forum');
    if (text !== '') expect((await openRow(post)).values.title).toBe(stored);
  });

  it.each<readonly [string, AuditStream, Row]>([
    ['a number as text', 'a_url', { h: 5 }],
    ['a list', 'a_mail', { to: ['a@x.example'] }],
    ['a huge number', 'a_mail', { sz: 1e300 }],
    ['a fraction', 'a_term', { sig: -1.5 }],
    ['a port out of range', 'a_url', { sp: 70_000 }],
    ['no MAC', 'a_term', { mac: 'x' }],
    ['an unknown action', 'a_auth', { act: 'drop' }],
    ['a short salt', 'a_bbs', { salt: 'aa' }],
    ['a time as text', 'a_id', { at: 'now' }],
    ['an account with a NUL', 'a_url', { acc: 'a\0b' }],
  ])('%s: the batch is refused with the name of the field before it is stored', (_, stream, bad) => {
    expect(() => message('AUD1', stream, 1, [samples[stream](), { ...samples[stream](), ...bad }])).toThrow(`v[1].${Object.keys(bad)[0]}`);
  });

  it('the largest allowed numbers are stored', async () => {
    await store(message('AUD1', 'a_mail', 1, [{ ...samples.a_mail(), n: 10_000, sz: 2 ** 40 }]));
    expect((await rowsOf('mail'))[0]).toMatchObject({ attach_count: 10_000, size: 2 ** 40 });
    await expectRoots();
  });
});
