import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import type {} from './global.ts';

export type FreshDatabase = { readonly url: string; readonly drop: () => Promise<void> };

const run = async (url: string, sql: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

/** A migrated database of one's own, in a few tens of milliseconds. What a test forgets to drop goes at the end of the run. */
export const freshDatabase = async (): Promise<FreshDatabase> => {
  const { url, template } = inject('database');
  const name = `${template}_${randomBytes(5).toString('hex')}`;
  await run(url, `create database ${name} template ${template} strategy wal_log`);
  const at = new URL(url);
  at.pathname = `/${name}`;
  return { url: at.href, drop: () => run(url, `drop database if exists ${name} with (force)`) };
};
