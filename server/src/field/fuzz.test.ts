import { createServer, type Socket } from 'node:net';
import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client } from '@farlink/simulator/client.ts';
import { generate, type Packet } from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongBatches } from '../../test/audit-roots.ts';
import { fuzzSeed, mutations, sendAllRaw } from '../../test/byte-fuzz.ts';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { BrokerClient } from './broker/client.ts';
import { openField } from './field.ts';
import type { IngestResult } from './ingest/ingest.ts';

let testServer: FieldTestServer;
beforeAll(async () => {
  testServer = await openFieldTestServer({ tickMs: 100 });
});
afterAll(() => testServer?.close());

const sn = 'FUZZ1';
const connectPacket = (protocolVersion: 4 | 5): Packet => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion,
  clientId: sn,
  clean: true,
  keepalive: 60,
  username: sn,
  password: Buffer.from('enrol:x'),
  will: { topic: upTopic(sn, 'bye'), payload: Buffer.from('{"r":"lost"}'), qos: 1, retain: false },
});
const publish = { cmd: 'publish', qos: 1, dup: false, retain: false, messageId: 3 } as const;
const packets: readonly Packet[] = [
  { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: downTopic(sn, '#'), qos: 1 }] },
  { cmd: 'unsubscribe', messageId: 2, unsubscriptions: [downTopic(sn, '#')] },
  { ...publish, topic: upTopic(sn, 'enrol'), payload: '{"hw":"hw-fuzz"}' },
  { ...publish, topic: upTopic(sn, 'hello'), payload: '{}', qos: 0 },
  { cmd: 'puback', messageId: 1, reasonCode: 0 },
  { cmd: 'pubrel', messageId: 1, reasonCode: 0 },
  { cmd: 'pingreq' },
  { cmd: 'disconnect', reasonCode: 0 },
];
const replies: readonly Packet[] = [
  { cmd: 'connack', sessionPresent: false, reasonCode: 0, properties: { receiveMaximum: 16, topicAliasMaximum: 16 } },
  { cmd: 'suback', messageId: 1, granted: [1] },
  { cmd: 'unsuback', messageId: 2, granted: [0] },
  { cmd: 'puback', messageId: 1, reasonCode: 0 },
  { ...publish, topic: upTopic(sn, 'hello'), payload: '{}' },
  { cmd: 'pingresp' },
  { cmd: 'disconnect', reasonCode: 0x8b },
];
const bytesOf = (packet: Packet, protocolVersion: 4 | 5) => new Uint8Array(generate(packet, { protocolVersion }));

test.each([4, 5] as const)(
  `gateways of MQTT version %i that send broken packets lose only their own connection (seed ${fuzzSeed})`,
  {
    timeout: 120_000,
  },
  async (version) => {
    const head = bytesOf(connectPacket(version), version);
    const corpus = packets.map((packet) => bytesOf(packet, version));
    // Half of the inputs pass the CONNECT and break a later packet.
    const later = mutations(corpus, 200, fuzzSeed + version).map((bytes) => Uint8Array.from([...head, ...bytes]));
    await sendAllRaw(testServer.listener().port, [...mutations([head], 100, fuzzSeed), ...later]);
    expect(testServer.listener().faults.internal ?? 0).toBe(0);
    const { sn: good, key } = await testServer.addDevice(`GOOD${version}`);
    const client = testServer.client(good, key, { version });
    await client.connect();
    const hello = JSON.stringify({ boot: 'boot1', fw: '03.02.01', h: digestOf({}) });
    expect(await client.publish(upTopic(good, 'hello'), hello)).toBe(0);
  },
);

const salt = '00112233445566778899aabbccddeeff';
const auditCommon = { at: 1_750_000_000, acc: 'ada', ip: '10.1.0.7', mac: 'aa:bb:cc:00:11:22' };
/** One row of each audit stream. */
const auditCorpus: Readonly<Record<AuditStream, Readonly<Record<string, unknown>>>> = {
  a_auth: { ...auditCommon, act: 'login', li: 1_750_000_000, pip: '203.0.113.7', pr: '1024-2047', sid: 'boot1-7' },
  a_id: { ...auditCommon, app: 'QQ', id: '10001', act: 'login', sip: '198.51.100.3', sp: 443 },
  a_url: { ...auditCommon, h: 'news.example', u: 'http://news.example/?a=1', t: '头条', cat: 'news', sip: '198.51.100.4', sp: 80 },
  a_bbs: { ...auditCommon, f: '海员之家', act: 'post', au: 'sailor', t: '日记', c: '风很大', u: 'http://bbs.example/1', salt },
  a_mail: { ...auditCommon, dir: 'send', from: 'a@x.example', to: 'b@y.example', cc: 'c@z.example', sub: '账单', n: 2, sz: 99, salt },
  a_term: { ...auditCommon, os: 'android', br: 'HUAWEI', ssid: 'ship', sig: -61 },
};
const oddValues: readonly unknown[] = [
  ...[null, true, -1, 0.5, 1e300, 2 ** 53, '', '\0', '\ud800', '\u202e', "'", '\\', 'x'.repeat(5000), '😀'.repeat(3000), [], {}, ['x']],
  ...['__proto__', 'a\tb', '99999999999999999999', '１２', { toString: 1 }],
];
const auditBody = (seq: number, row: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ b: 'boot1', seq, t0: 1_750_000_000, c: Object.keys(row), v: [Object.values(row), Object.values(row)] });

test(`damaged audit batches are refused, or stored completely with valid roots (seed ${fuzzSeed})`, { timeout: 120_000 }, async () => {
  const { sn: from, id } = await testServer.addDevice('FUZZAUDIT');
  const field = openField(testServer.deps, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  const results: IngestResult[] = [];
  let sent = 0;
  const send = (stream: string, body: string) => {
    sent++;
    field.receive(from, `t/${stream}`, body, 'conn', (result) => results.push(result));
  };
  let seq = 0;
  for (const [stream, row] of Object.entries(auditCorpus)) {
    const corpus = [Buffer.from(auditBody(++seq, row))];
    for (const bytes of mutations(corpus, 150, fuzzSeed + seq)) send(stream, Buffer.from(bytes).toString('utf8'));
    for (const column of Object.keys(row)) for (const odd of oddValues) send(stream, auditBody(++seq, { ...row, [column]: odd }));
  }
  await expect.poll(() => results.length, { timeout: 60_000 }).toBe(sent);
  // A refusal by the database would be a value that the protocol should have refused.
  expect(results.filter((result) => !result.ok && result.why === 'storage')).toEqual([]);
  expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(100);
  expect(results.filter(({ ok }) => !ok).length).toBeGreaterThan(100);
  expect(await wrongBatches(testServer.deps.pool)).toEqual([]);
  for (const [stream, row] of Object.entries(auditCorpus)) send(stream, auditBody(++seq, row));
  await expect.poll(() => results.length, { timeout: 10_000 }).toBe(sent);
  expect(results.slice(-6)).toEqual(Array.from({ length: 6 }, () => ({ ok: true })));
  await field.close();
  const { rows } = await testServer.deps.pool.query('select count(*)::int as n from audit_batch where device_id = $1', [id]);
  expect(rows[0].n).toBeGreaterThan(100);
});

/** A broker that replies to each connection with the next of these inputs, and afterwards correctly. */
const fakeBroker = async (inputs: readonly Uint8Array[]) => {
  const waiting = [...inputs];
  const proper = (socket: Socket) => {
    socket.write(bytesOf(replies[0] ?? { cmd: 'pingresp' }, 5));
    socket.once('data', () => socket.write(bytesOf({ cmd: 'suback', messageId: 1, granted: [1] }, 5)));
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const next = waiting.shift();
      if (!next) return proper(socket);
      socket.end(next);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return { port: address && typeof address === 'object' ? address.port : 0, remaining: () => waiting.length, close: () => server.close() };
};
const brokerInputs = (count: number) => {
  const corpus = replies.map((packet) => bytesOf(packet, 5));
  const head = corpus[0] ?? new Uint8Array();
  return mutations(corpus, count, fuzzSeed).map((bytes, i) => (i % 2 ? bytes : Uint8Array.from([...head, ...bytes])));
};

test(`a broker that sends broken packets does not crash the console (seed ${fuzzSeed})`, { timeout: 120_000 }, async () => {
  for (const bytes of brokerInputs(60)) {
    const broker = await fakeBroker([bytes]);
    const downs: string[] = [];
    const address = { host: '127.0.0.1', port: broker.port, tls: false, ca: undefined, username: undefined, password: undefined };
    const client = new BrokerClient({
      address,
      clientId: 'fuzz',
      filter: 'gw/1/+/up/#',
      received: (_, done) => done(),
      connected: () => {},
      disconnected: (reason) => downs.push(reason),
    });
    await expect.poll(() => downs.length > 0 || client.isOpen, { interval: 5 }).toBe(true);
    await client.close();
    broker.close();
  }
});

test(`a console that sends broken packets does not crash the client of a gateway (seed ${fuzzSeed})`, { timeout: 120_000 }, async () => {
  const broker = await fakeBroker(brokerInputs(150));
  while (broker.remaining() > 0) {
    const client = new Client({ host: '127.0.0.1', port: broker.port, clientId: sn, username: sn, password: 'x' });
    await client.connect().catch(() => {});
    client.destroy();
    await client.closed;
  }
  const client = new Client({ host: '127.0.0.1', port: broker.port, clientId: sn, username: sn, password: 'x' });
  expect(await client.connect()).toMatchObject({ reasonCode: 0 });
  expect(await client.subscribe('x')).toBe(1);
  client.destroy();
  broker.close();
});
