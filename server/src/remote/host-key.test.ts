import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterEach, expect, test, vi } from 'vitest';
import { loadHostKey } from './host-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-host-key-'));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test('a generated key that cannot be read again is replaced, as for one of 256 keys of the library', () => {
  const broken = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n';
  vi.spyOn(ssh2.utils, 'generateKeyPairSync').mockReturnValueOnce({ private: broken, public: '' });
  const made = loadHostKey(folder);
  expect(made.fingerprint).toMatch(/^SHA256:/);
  expect(loadHostKey(folder)).toEqual(made);
});
