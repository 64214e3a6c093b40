import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { newSigningKey, parseCheckpoint, privateKeyOf, signCheckpoint } from '@farlink/gateway/protocol/checkpoint.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addAuditDevice, backUpAudit, storeAuditRows, urlRows } from '../../../test/audit.ts';
import { listening, type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { open } from '../../kit/session/secret.ts';
import { recordFork } from './fork.ts';
import type { Log } from './log.ts';
import { sealRound } from './seal-job.ts';
import { inTransaction } from './transaction.ts';

const bucket: { object: string | undefined; writes: string[]; md5: string | undefined; status: number | undefined } = {
  object: undefined,
  writes: [],
  md5: undefined,
  status: undefined,
};
const standIn = createServer(async (request, response) => {
  const body = (await buffer(request)).toString();
  if (bucket.status) return response.writeHead(bucket.status).end();
  if (request.method === 'PUT') {
    bucket.object = body;
    bucket.writes.push(body);
    bucket.md5 = String(request.headers['content-md5']);
    return response.end();
  }
  return bucket.object === undefined ? response.writeHead(404).end() : response.end(bucket.object);
});

let service: ServiceDeps;
let device: number;
let file: string;
beforeAll(async () => {
  const env = { AUDIT_ANCHOR_URL: `${await listening(standIn)}/locked`, AUDIT_ANCHOR_MAIL: 'proof@example.com, law@example.com' };
  service = await serviceDeps({ ...env, S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' });
  device = await addAuditDevice(service.deps, service.me.agent_id, 'GW1');
  file = join(service.deps.config.dataDir, 'audit-checkpoint.txt');
});
afterAll(async () => {
  await service?.close();
  standIn.close();
});
beforeEach(async () => {
  await service.deps.pool.query('delete from notice');
});

const round = async () => {
  await storeAuditRows(service.deps, device, 'a_url', urlRows(2, service.clock.now()));
  service.clock.advance(60);
  return sealRound(service.deps);
};
const alarms = async () => (await service.deps.db.selectFrom('notice').select(['title', 'content', 'send_at']).execute()).length;
const fork = (reason = 'restored from the backup of Sunday'): Promise<Log> =>
  inTransaction(service.deps.pool, 'begin', (query) => recordFork(query, service.deps.config.secretKey, reason, service.clock.now()));

test('each round copies the checkpoint to a file, each hour to the bucket, each day by mail', async () => {
  const log = await round();
  expect(readFileSync(file, 'utf8')).toBe(log.checkpoint);
  expect(bucket.writes.map((text) => parseCheckpoint(text)?.size)).toEqual([1]);
  expect(bucket.md5).toMatch(/==$/);
  await round();
  expect(bucket.writes).toHaveLength(1);
  service.clock.advance(3600);
  const later = await round();
  expect(bucket.writes).toHaveLength(2);
  expect(readFileSync(file, 'utf8')).toBe(later.checkpoint);
  const mails = await service.deps.db.selectFrom('outbox').select(['recipient', 'body']).orderBy('id').execute();
  expect(mails.map(({ recipient }) => recipient)).toEqual(['proof@example.com', 'law@example.com']);
  expect(open(service.deps.config.secretKey, mails[0]?.body ?? '')).toContain(JSON.stringify(log.checkpoint).slice(1, -1));
});

test('a failing bucket is reported and retried, and sealing continues', async () => {
  bucket.status = 500;
  service.clock.advance(3600);
  const before = (await round()).size;
  expect(await service.deps.db.selectFrom('audit_log').select('anchor_fault').execute()).toEqual([
    { anchor_fault: 'the bucket of checkpoints returned 500' },
  ]);
  bucket.status = undefined;
  expect((await round()).size).toBe(before + 1);
  expect(await service.deps.db.selectFrom('audit_log').select('anchor_fault').execute()).toEqual([{ anchor_fault: null }]);
});

test('after a restore from an older backup sealing stops until the fork is recorded', async () => {
  await expect(fork()).rejects.toMatchObject({ reason: 'audit_not_stopped' });
  const restore = await backUpAudit(service.deps, 'b1');
  for (let i = 0; i < 3; i++) await round();
  const lost = readFileSync(file, 'utf8');
  await restore();
  const stopped = await round();
  expect(stopped).toMatchObject({ stopped: 'shorter', outside: lost });
  expect(await alarms()).toBe(1);
  expect((await round()).size).toBe(stopped.size);
  expect(await alarms()).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(lost);
  await fork();
  const forked = await round();
  expect(forked).toMatchObject({ stopped: null, outside: null });
  expect(forked.size).toBe(stopped.size + 4);
  expect(readFileSync(file, 'utf8')).toBe(forked.checkpoint);
  const leaf = await service.deps.db.selectFrom('audit_leaf').selectAll().where('type', '=', 'fork').executeTakeFirstOrThrow();
  expect(leaf).toMatchObject({ rows: parseCheckpoint(lost)?.size, note: `restored from the backup of Sunday\n\n${lost}` });
  // Another copy of the lost branch is covered by the recorded fork.
  writeFileSync(file, lost);
  expect((await round()).stopped).toBeNull();
});

test('a process that ends after recording the fork does not stop again', async () => {
  const restore = await backUpAudit(service.deps, 'b2');
  for (let i = 0; i < 2; i++) await round();
  await restore();
  for (let i = 0; i < 2; i++) await round();
  await fork();
  // The file still has the lost checkpoint.
  expect((await round()).stopped).toBeNull();
});

test('the bucket alone reveals a restore if the data folder was restored too', async () => {
  const restore = await backUpAudit(service.deps, 'b3');
  const folder = readFileSync(file, 'utf8');
  service.clock.advance(3600);
  for (let i = 0; i < 3; i++) await round();
  service.clock.advance(3600);
  await round();
  await restore();
  writeFileSync(file, folder);
  expect(await round()).toMatchObject({ stopped: 'shorter', outside: bucket.object });
  await fork();
  expect((await round()).stopped).toBeNull();
});

test('sealing stops with its own reason for a rewritten log, another key and a damaged file', async () => {
  const log = await round();
  const { pool } = service.deps;
  const restore = await backUpAudit(service.deps, 'b4');
  const index = log.size - 2;
  await pool.query('update audit_leaf set hash = $1 where index = $2', [log.root, index]);
  await pool.query('update audit_node set hash = $1 where level > 0', [log.root]);
  expect((await round()).stopped).toBe('inconsistent');
  await restore();
  writeFileSync(file, log.checkpoint);
  expect((await round()).stopped).toBeNull();
  const other = newSigningKey();
  const key = { publicKey: other.publicKey, privateKey: privateKeyOf(other.pem) };
  writeFileSync(file, signCheckpoint({ origin: log.origin, size: 1, root: log.root }, key));
  expect((await round()).stopped).toBe('foreign');
  await fork();
  writeFileSync(file, 'x');
  expect((await round()).stopped).toBe('unreadable');
  await fork('damaged by a full disk');
  expect((await round()).stopped).toBeNull();
});
