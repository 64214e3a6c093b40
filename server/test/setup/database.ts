import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { copyCitusDatabase, dropCitusDatabase, onCitus } from './citus.ts';
import { withClient } from './clean-up.ts';
import type {} from './global.ts';

export type TestDatabase = { readonly url: string; readonly drop: () => Promise<void> };

/** The embedded server does not wait for the disk, so a copy of the files costs half of a copy through the log. */
const strategy = process.env.TEST_DATABASE_URL ? 'wal_log' : 'file_copy';

/** A separate migrated database, created in a few tens of milliseconds. The end of the run drops forgotten ones. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const { url, template } = inject('database');
  const name = `${template}_${randomBytes(5).toString('hex')}`;
  if (onCitus) await copyCitusDatabase(url, template, name);
  else await withClient(url, (client) => client.query(`create database ${name} template ${template} strategy ${strategy}`));
  const drop = () =>
    onCitus ? dropCitusDatabase(url, name) : withClient(url, (client) => client.query(`drop database if exists ${name} with (force)`));
  const at = new URL(url);
  at.pathname = `/${name}`;
  return { url: at.href, drop };
};
