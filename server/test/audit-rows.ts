import { randomBytes } from 'node:crypto';
import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';
import { parse } from '@farlink/gateway/protocol/shape.ts';
import { batchOf } from '@farlink/gateway/protocol/stream.ts';
import { makePartitions } from '../src/db/partitions.ts';
import { storeMessages } from '../src/field/store/store.ts';
import { seal } from '../src/kit/session/secret.ts';
import type { Api } from './api.ts';
import { subscriberRow } from './subscriber.ts';

type Row = Readonly<Record<string, unknown>>;

/** Sealed values of the sample rows. None of them may be seen without the right to reveal. */
export const sealedSamples = {
  name: '欧阳锋锐',
  phone: '13912345678',
  id_number: '110101199003077758',
  title: '出海日记第一篇',
  content: '今天风很大浪也很高',
  sender: 'anna.smith@ship.example',
  receiver: 'bob.jones@port.example',
  cc: 'carol.white@port.example',
  subject: '九月账单与合同',
} as const;

/** Stored in clear, shown masked. */
export const maskedSamples = { identity: 'wx_sailor_10001', author: 'deep_sea_sailor' } as const;

let seq = 0;

/** Stores rows as a gateway reports them. */
export const storeAuditRows = async (api: Api, sn: string, stream: AuditStream, rows: readonly Row[]) => {
  const now = api.clock.now();
  await makePartitions(api.deps.pool, now);
  const c = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const parsed = parse(batchOf(stream), { b: 'boot1', seq: ++seq, t0: now, c, v: rows.map((row) => c.map((name) => row[name] ?? null)) });
  if ('reason' in parsed) throw new Error(parsed.reason);
  const message = { sn, conn: 'c1', content: { kind: 'batch', stream, body: parsed.value } } as const;
  await storeMessages(api.deps.pool, now, 'test', [message], api.deps.config.secretKey);
};

interface Ship {
  readonly agentId: number;
  readonly sn: string;
  readonly account: string;
  /** Minutes before now. */
  readonly ago?: number;
}

/** A device with a subscriber, and one row of each kind. */
export const makeAuditShip = async (api: Api, { agentId, sn, account, ago = 1 }: Ship) => {
  const device = await api.db
    .insertInto('device')
    .values({ agent_id: agentId, name: `Ship ${sn}`, sn, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { name, phone, id_number } = sealedSamples;
  const person = subscriberRow({ agent_id: agentId, account, device_id: device.id, name, phone });
  const user = await api.db
    .insertInto('subscriber')
    .values({ ...person, id_number: seal(api.deps.config.secretKey, id_number) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const at = api.clock.now() - ago * 60;
  const common = { at, acc: account, ip: '10.1.0.7', mac: 'AA:BB:CC:00:11:22' };
  const salt = () => randomBytes(16).toString('hex');
  await storeAuditRows(api, sn, 'a_auth', [{ ...common, act: 'login', li: at, pip: '203.0.113.7', pr: '1024-2047', sid: 'boot1-7' }]);
  await storeAuditRows(api, sn, 'a_id', [
    { ...common, app: 'WeChat', id: maskedSamples.identity, act: 'login', sip: '198.51.100.3', sp: 443 },
  ]);
  await storeAuditRows(api, sn, 'a_url', [
    { ...common, h: 'news.example', u: 'http://news.example/a?b=1', t: '头条', cat: 'news', sip: '198.51.100.4', sp: 80 },
    { ...common, h: 'bank.example', sp: 443 },
  ]);
  const { title, content, sender, receiver, cc, subject } = sealedSamples;
  await storeAuditRows(api, sn, 'a_bbs', [
    { ...common, f: '天涯', act: 'post', au: maskedSamples.author, t: title, c: content, u: 'http://bbs.example/1', salt: salt() },
  ]);
  await storeAuditRows(api, sn, 'a_mail', [
    { ...common, dir: 'send', from: sender, to: `${receiver}, dan@far.example`, cc, sub: subject, n: 2, sz: 123_456, salt: salt() },
  ]);
  await storeAuditRows(api, sn, 'a_term', [{ ...common, os: 'android', br: 'HUAWEI', ssid: 'ship', sig: -61 }]);
  return { deviceId: device.id, userId: user.id, at };
};
