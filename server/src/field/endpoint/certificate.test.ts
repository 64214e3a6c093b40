import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAuthority } from '../../../test/certificates.ts';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';
import { addVno } from '../../../test/vno.ts';
import { enrolDevice } from '../enrolment/binding.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';

let testServer: FieldTestServer;
let endpoint: Endpoint;
let trusted: ReturnType<typeof makeAuthority>;
let other: ReturnType<typeof makeAuthority>;

beforeAll(async () => {
  testServer = await openFieldTestServer();
  const folder = testServer.deps.config.dataDir;
  trusted = makeAuthority(folder, 'fleet');
  other = makeAuthority(folder, 'other');
  const { cert, key } = trusted.issue('localhost');
  endpoint = await openEndpoint(testServer.deps, { port: 0, host: '127.0.0.1', tls: { cert, key, ca: trusted.caText } });
});
afterAll(async () => {
  await endpoint?.close();
  await testServer?.close();
});

const reply = async (sn: string, password: string, shown?: { cert: Buffer; key: Buffer }) => {
  const client = testServer.client(sn, password, {
    port: endpoint.port,
    tls: { ca: trusted.caText, servername: 'localhost', ...(shown && { cert: shown.cert, key: shown.key }) },
  });
  return (await client.connect()).reasonCode;
};

test('a certificate in the name of the gateway replaces its key, one with another name or issuer does not', async () => {
  const { sn, key } = await testServer.addDevice('CERT1');
  const suspended = await testServer.addDevice('CERT2', { auth_status: 'suspended' });
  expect(await reply(sn, '', trusted.issue(sn))).toBe(0);
  expect(await reply(sn, key)).toBe(0);
  expect(await reply(sn, '')).toBe(0x86);
  expect(await reply(sn, '', trusted.issue('CERT3'))).toBe(0x86);
  expect(await reply(sn, '', other.issue(sn))).toBe(0x86);
  expect(await reply('CERT3', '', trusted.issue('CERT3'))).toBe(0x86);
  expect(await reply(sn, 'wrong', trusted.issue(sn))).toBe(0x86);
  expect(await reply(suspended.sn, '', trusted.issue(suspended.sn))).toBe(0x8a);
});

test('a gateway with a certificate is accepted, and enrolment with the code of its VNO issues no key for it', async () => {
  const { db, clock } = testServer;
  const vno = await addVno(db, testServer.platformId);
  const { id, sn } = await testServer.addDevice('CERT4');
  await db.updateTable('device').set({ agent_id: vno, key_hash: null, hardware_id: 'box-1' }).where('id', '=', id).execute();
  expect(await reply(sn, '', trusted.issue(sn))).toBe(0);
  expect(await enrolDevice(db, sn, 'OTHER', { hw: 'another-box' }, clock.now())).toEqual({ st: 3 });
  expect(await testServer.device(id)).toMatchObject({ key_hash: null });
});
