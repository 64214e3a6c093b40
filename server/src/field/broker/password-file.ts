import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { snPattern } from '@farlink/gateway/protocol/topic.ts';
import type { Pool } from 'pg';
import { verifierOf } from '../../orders/device-key.ts';

/** A verifier is prefixed with the hash of its key. A key change that did not update the verifier makes it invalid. */
const usable = `auth_status <> 'suspended' and key_hash is not null and starts_with(key_verifier, key_hash || ' ')`;

/**
 * Maintains the password file of Mosquitto: the console itself and every gateway that has a key and is not suspended. The file is rewritten
 * when the database differs from it; the broker reloads it on SIGHUP.
 */
export const openPasswordFile = (pool: Pool, path: string, console: { readonly username: string; readonly password: string }) => {
  let last: string | undefined;
  const own = `${console.username}:${verifierOf(console.password, createHash('sha256').update(console.username).digest().subarray(0, 12))}`;
  const isThere = (text: string) => {
    try {
      return readFileSync(path, 'utf8') === text;
    } catch {
      return false;
    }
  };
  return {
    /** Returns true if the file was written. */
    refresh: async (): Promise<boolean> => {
      const { rows: sums } = await pool.query<{ sum: string }>({
        name: 'field_verifier_sum',
        text: `select coalesce(md5(string_agg(sn || key_verifier, ' ' order by sn)), '') as sum from device where ${usable}`,
      });
      const sum = sums[0]?.sum ?? '';
      if (sum === last) return false;
      const { rows } = await pool.query<{ sn: string; verifier: string }>(
        `select sn, split_part(key_verifier, ' ', 2) as verifier from device where ${usable} order by sn`,
      );
      const fit = rows.filter(({ sn }) => snPattern.test(sn) && sn !== console.username);
      const text = [own, ...fit.map(({ sn, verifier }) => `${sn}:${verifier}`), ''].join('\n');
      const written = !isThere(text);
      if (written) {
        writeFileSync(`${path}.new`, text, { mode: 0o640 });
        renameSync(`${path}.new`, path);
      }
      last = sum;
      return written;
    },
  };
};
