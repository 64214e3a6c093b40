import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2, { type ParsedKey } from 'ssh2';
import { makeFolder } from '../env/make-folder.ts';
import { reasonOf, StartError } from '../env/start-error.ts';

export interface HostKey {
  readonly key: string;
  /** OpenSSH format. */
  readonly fingerprint: string;
}

const read = (file: string): HostKey | undefined => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const parsed: ParsedKey | Error = ssh2.utils.parseKey(text);
  // Gateways get the current fingerprint each time, but a damaged key file must be reported.
  if (parsed instanceof Error) throw new StartError(`${file} does not contain a private key: restore it from a backup or remove it.`);
  const digest = createHash('sha256').update(parsed.getPublicSSH()).digest('base64');
  return { key: text, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` };
};

/** The library writes one of 256 keys in a format that it cannot read. Such a key would break every later start. */
const newKey = (): string => {
  for (;;) {
    const key = ssh2.utils.generateKeyPairSync('ed25519').private;
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key;
  }
};

/** SSH host key of this server, created at the first start. The file is linked into place, so that two parallel starts use the same key. */
export const loadHostKey = (dataDir: string): HostKey => {
  const file = join(dataDir, 'remote-ssh.key');
  const temporary = `${file}.${process.pid}`;
  try {
    makeFolder(dataDir);
    const found = read(file);
    if (found) return found;
    writeFileSync(temporary, newKey(), { mode: 0o600 });
    try {
      linkSync(temporary, file);
    } catch (error) {
      if (!read(file)) throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
    return read(file) ?? loadHostKey(dataDir);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The folder ${dataDir} cannot be used (${reasonOf(error)}): make it writable or set DATA_DIR to another one.`);
  }
};
