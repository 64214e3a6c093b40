import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAuditDevice, mailRows, storeAuditRows, urlRows } from '../../../test/audit.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { openZip } from '../../kit/formats/read-zip.ts';
import { zipFiles } from '../../kit/formats/zip-files.ts';
import type { AuditKind } from './kinds.ts';
import { addedLeaf, commit, rowLeaf } from './leaves.ts';
import { proofZip } from './proof-zip.ts';
import type { RowRef } from './proofs.ts';
import { sealRound } from './seal-job.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-proof-'));
const script = resolve(import.meta.dirname, '../../../../scripts/verify.mjs');
const run = promisify(execFile);
let service: ServiceDeps;
let device: number;
let count = 0;

const store = async () => {
  await storeAuditRows(service.deps, device, 'a_url', urlRows(7, service.clock.now()));
  await storeAuditRows(service.deps, device, 'a_url', urlRows(3, service.clock.now()));
  await storeAuditRows(service.deps, device, 'a_mail', mailRows(5, service.clock.now()));
};
beforeAll(async () => {
  service = await serviceDeps();
  device = await addAuditDevice(service.deps, service.me.agent_id, 'GW1');
  for (let i = 0; i < 5; i++) {
    await store();
    service.clock.advance(60);
    await sealRound(service.deps);
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service?.close();
});

const file = (content: Buffer | string) => {
  const path = join(folder, `${++count}`);
  writeFileSync(path, content);
  return path;
};
const refsOf = async (kind: AuditKind, where = 'true') =>
  (await service.deps.pool.query<RowRef>(`select batch, n, stored_at from audit_${kind} where ${where} order by at, n`)).rows;
const exportOf = async (kind: AuditKind, where?: string, reveal = false) => {
  const refs = await refsOf(kind, where);
  async function* rows() {
    for (let at = 0; at < refs.length; at += 4) yield refs.slice(at, at + 4).map((ref) => ({ ...ref, kind }));
  }
  return file(await buffer(await proofZip(service.deps, { rows: rows(), reveal })));
};
const verify = async (...args: string[]): Promise<{ ok: boolean; out: string }> =>
  run(process.execPath, [script, ...args], { timeout: 30_000 }).then(
    ({ stdout }) => ({ ok: true, out: stdout }),
    (error: { stdout: string; stderr: string; killed: boolean }) => {
      expect([error.killed, error.stderr]).toEqual([false, '']);
      return { ok: false, out: error.stdout };
    },
  );
const entriesOf = async (path: string) => {
  const zip = await openZip(path);
  const entries = new Map<string, Buffer>();
  for (const [name, entry] of zip?.entries ?? []) entries.set(name, zip ? await buffer(await zip.read(entry)) : Buffer.alloc(0));
  zip?.close();
  return entries;
};
/** Another archive in which one entry differs. */
const changed = async (path: string, name: string, change: (text: string) => string) => {
  const entries = await entriesOf(path);
  async function* sources() {
    for (const [entry, content] of entries) {
      const bytes = entry === name ? Buffer.from(change(content.toString('latin1')), 'latin1') : content;
      yield { name: entry, source: Readable.from([bytes]), at: 1 };
    }
  }
  return file(await buffer(zipFiles(sources())));
};

test('an export of all rows or of a filter is verified offline', async () => {
  expect(await verify(await exportOf('url'))).toMatchObject({ ok: true, out: expect.stringContaining('OK: 50 rows') });
  expect(await verify(await exportOf('url', 'n = 2'))).toMatchObject({ ok: true, out: expect.stringContaining('OK: 10 rows') });
  expect((await verify(await exportOf('mail'))).ok).toBe(true);
});

test('sealed values are exported as commitments, or in clear text with the right to reveal', async () => {
  const closed = (await entriesOf(await exportOf('mail'))).get('rows.jsonl')?.toString() ?? '';
  expect(closed).not.toContain('example.com');
  expect(closed).not.toContain('Subject');
  const path = await exportOf('mail', undefined, true);
  expect((await entriesOf(path)).get('rows.jsonl')?.toString()).toContain('Subject 3');
  expect((await verify(path)).ok).toBe(true);
  const forged = await changed(path, 'rows.jsonl', (text) => text.replace('Subject 3', 'Subject 4'));
  expect((await verify(forged)).out).toContain('values in clear do not fit their commitment');
});

test('a masked column appears as a salted commitment without the right to reveal', async () => {
  const rows = [{ at: service.clock.now(), acc: 'anna', app: 'WeChat', id: 'wx_sailor_10001' }];
  const post = { at: service.clock.now(), acc: 'anna', f: 'BBS', act: 'post', au: 'wx_sailor_10001', t: 'T', salt: '0'.repeat(32) };
  await storeAuditRows(service.deps, device, 'a_bbs', [post]);
  await storeAuditRows(service.deps, device, 'a_id', rows);
  service.clock.advance(60);
  await sealRound(service.deps);
  for (const kind of ['identity', 'forum'] as const) {
    const closed = await exportOf(kind);
    const all = Object.fromEntries(await entriesOf(closed));
    expect(Object.values(all).join('\n')).not.toContain('wx_sailor');
    expect(await verify(closed)).toMatchObject({ ok: true, out: expect.not.stringContaining('without proof') });
    // The leaf of a row with the value in clear is the root of its batch of one row.
    const [row] = (await service.deps.pool.query(`select * from audit_${kind}`)).rows;
    for (const guess of [rowLeaf(kind, { ...row, added_commitment: null }), commit(Buffer.alloc(0), ['wx_sailor_10001'])])
      expect(Object.values(all).join('\n')).not.toContain(guess.toString('hex'));
    const clear = await exportOf(kind, undefined, true);
    expect((await entriesOf(clear)).get('rows.jsonl')?.toString()).toContain('wx_sailor');
    expect((await verify(clear)).ok).toBe(true);
    const forged = await changed(clear, 'rows.jsonl', (text) => text.replace('wx_sailor_10001', 'wx_sailor_10002'));
    expect((await verify(forged)).out).toContain('the masked value does not fit its commitment');
  }
});

test('rows from before the salted commitments are listed without hashes, and proven with the right to reveal', async () => {
  const row = { at: service.clock.now(), acc: 'old', app: 'WeChat', id: 'wx_sailor_20002' };
  await storeAuditRows(service.deps, device, 'a_id', [row]);
  const { pool } = service.deps;
  const [stored] = (await pool.query("select * from audit_identity where account = 'old'")).rows;
  const leaf = rowLeaf('identity', { ...stored, added_commitment: null });
  const added = addedLeaf('identity', { ...stored, added_commitment: null });
  await pool.query("update audit_identity set added_commitment = null where account = 'old'");
  await pool.query('update audit_batch set root = $2, added_root = $3 where id = $1', [stored.batch, leaf, added]);
  service.clock.advance(60);
  await sealRound(service.deps);
  const closed = await exportOf('identity', "account = 'old'");
  const all = Object.fromEntries(await entriesOf(closed));
  for (const name of ['rows.jsonl', 'batches.jsonl', 'seals.jsonl']) expect(String(all[name])).not.toContain(leaf.toString('hex'));
  expect(String(all['batches.jsonl'])).toBe('');
  expect(await verify(closed)).toMatchObject({ ok: true, out: expect.stringContaining('1 rows are listed without proof') });
  const clear = await exportOf('identity', "account = 'old'", true);
  expect((await verify(clear)).ok).toBe(true);
  expect(String((await entriesOf(clear)).get('rows.jsonl'))).toContain('wx_sailor_20002');
});

test('rows of the current minute are reported as not sealed yet', async () => {
  await store();
  expect(await verify(await exportOf('url'))).toMatchObject({ ok: true, out: expect.stringContaining('10 rows are not sealed yet') });
  service.clock.advance(60);
  await sealRound(service.deps);
});

describe('a changed export fails with its own message', () => {
  const cases: readonly (readonly [string, string, (text: string) => string, string])[] = [
    ['a value of a row', 'rows.jsonl', (text) => text.replace('h3.example.com', 'h4.example.com'), 'altered, or not part of its batch'],
    ['the owner of a row', 'rows.jsonl', (text) => text.replace('"agent_id":1', '"agent_id":2'), 'owner or added values altered'],
    ['a proof of a row', 'rows.jsonl', (text) => text.replace(/"proof":\["./, '"proof":["x'), 'altered, or not part of its batch'],
    ['a second copy of a row', 'rows.jsonl', (text) => text + text.slice(0, text.indexOf('\n') + 1), 'twice in the export'],
    ['a batch', 'batches.jsonl', (text) => text.replace('"boot":"boot"', '"boot":"root"'), 'altered, or not part of its seal'],
    ['a missing batch', 'batches.jsonl', (text) => text.slice(text.indexOf('\n') + 1), 'its batch is not proven'],
    ['a seal', 'seals.jsonl', (text) => text.replace('"rows":10', '"rows":11'), 'altered, or not part of the signed log'],
    ['the checkpoint', 'checkpoint.txt', (text) => text.replace('\n1', '\n2'), 'checkpoint.txt: altered'],
    ['the key', 'key.txt', (text) => text.replace('+A', '+B'), 'key.txt: altered'],
    ['the log', 'log.bin', (text) => `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`, 'log.bin: altered'],
    ['a line', 'rows.jsonl', (text) => `{${text}`, 'line 1 is not readable'],
  ];
  test.each(cases)('%s', async (_, name, change, message) => {
    const { ok, out } = await verify(await changed(await exportOf('url'), name, change));
    expect(ok).toBe(false);
    expect(out).toContain(message);
  });
});

test('an older checkpoint is confirmed; a rewritten and a shortened log are not', async () => {
  const known = file(readFileSync(join(service.deps.config.dataDir, 'audit-checkpoint.txt')));
  await store();
  service.clock.advance(60);
  await sealRound(service.deps);
  const path = await exportOf('url');
  expect((await verify(path, '--known', known)).ok).toBe(true);
  const newer = file(readFileSync(join(service.deps.config.dataDir, 'audit-checkpoint.txt')));
  // The operator rewrites rows, batches, seals and the log, and signs it all again.
  const { pool } = service.deps;
  const { rows } = await pool.query('select public_key, private_key, origin from audit_log');
  await pool.query('truncate audit_log, audit_leaf, audit_node');
  await pool.query("delete from audit_url where account = 'user1'");
  await pool.query('update audit_batch set seal = null');
  rmSync(join(service.deps.config.dataDir, 'audit-checkpoint.txt'));
  await pool.query(`insert into audit_log (origin, public_key, private_key, root, signed_at) values ($1, $2, $3, '\\x', 1)`, [
    rows[0].origin,
    rows[0].public_key,
    rows[0].private_key,
  ]);
  await sealRound(service.deps);
  const rewritten = await exportOf('url', "account = 'user0' and n = 0");
  expect((await verify(rewritten, '--known', newer)).out).toMatch(/shorter than the known checkpoint|rewritten since the known checkpoint/);
  for (let i = 0; i < 4; i++) {
    await store();
    service.clock.advance(60);
    await sealRound(service.deps);
  }
  const longer = await exportOf('mail');
  expect((await verify(longer, '--known', known)).out).toContain('rewritten since the known checkpoint');
  expect((await verify(path, '--known', file('x'))).out).toContain('not signed by the key');
});

test('hostile archives never cause a stack trace', { tags: 'all' }, async () => {
  const path = await exportOf('mail', 'n = 0');
  const whole = readFileSync(path);
  let seed = 11;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const directory = whole.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  const hostile = Array.from({ length: 24 }, (_, i) => {
    if (i < 6) return whole.subarray(0, next(whole.length));
    const bytes = Buffer.from(whole);
    const from = i % 2 === 0 ? directory : 0;
    for (let k = 0; k < 1 + next(4); k++) bytes[from + next(bytes.length - from)] = next(256);
    return bytes;
  });
  const results = await Promise.all([...hostile, Buffer.alloc(0), Buffer.from('PK\x05\x06')].map((bytes) => verify(file(bytes))));
  for (const { out } of results) expect(out).not.toMatch(/\n\s+at |undefined/);
  // Changes outside the proven content, such as a time of a file, are harmless.
  const { out: original } = await verify(path);
  for (const { ok, out } of results) if (ok) expect(out).toBe(original);
  expect((await verify()).out).toContain('usage');
  expect((await verify('/nonexistent')).out).toContain('ENOENT');
});
