import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';
import { makePartitions } from '../src/db/partitions.ts';
import type { AuditItem } from '../src/domain/audit/store/audit-row.ts';
import { storeAudit } from '../src/domain/audit/store/store-audit.ts';
import { Tx } from '../src/field/store/tx.ts';
import type { Deps } from '../src/kit/deps.ts';

type Cells = Readonly<Record<string, string | number>>;

/** A device with audit data. */
export const addAuditDevice = async (deps: Deps, agent_id: number, sn: string): Promise<number> => {
  await makePartitions(deps.pool, deps.clock.now());
  const row = { agent_id, name: sn, sn, create_at: 1 };
  return (await deps.db.insertInto('device').values(row).returning('id').executeTakeFirstOrThrow()).id;
};

let seq = 0;

/** Stores a batch of rows as a gateway reports it, at the time of the clock. */
export const storeAuditRows = async (
  { pool, config, clock }: Pick<Deps, 'pool' | 'config' | 'clock'>,
  device: number,
  stream: AuditStream,
  rows: readonly Cells[],
) => {
  const item: AuditItem = {
    device,
    stream,
    body: { b: 'boot', seq: ++seq, t0: clock.now(), dt: 60, rows: [...rows] },
  };
  const client = await pool.connect();
  try {
    await client.query('begin');
    await storeAudit(new Tx(client, clock.now(), 'node', config.secretKey), [item]);
    await client.query('commit');
  } finally {
    client.release();
  }
};

export const urlRows = (count: number, at: number): Cells[] =>
  Array.from({ length: count }, (_, i) => ({
    at: at - i,
    acc: `user${i % 3}`,
    ip: '10.0.0.2',
    mac: '02:00:00:00:00:01',
    h: `h${i}.example.com`,
  }));

export const mailRows = (count: number, at: number): Cells[] =>
  Array.from({ length: count }, (_, i) => ({
    at: at - i,
    acc: `user${i % 3}`,
    dir: 'send',
    salt: String(i).padStart(32, '0'),
    from: 'a@example.com',
    to: 'b@example.com',
    sub: `Subject ${i}`,
  }));

const logTables = ['audit_log', 'audit_leaf', 'audit_node', 'audit_batch', 'audit_url', 'audit_mail'] as const;

/** Copies the tables of audit data, as a backup does. Returns how to restore them. */
export const backUpAudit = async ({ pool }: Pick<Deps, 'pool'>, name: string) => {
  for (const table of logTables) await pool.query(`create table ${name}_${table} as table ${table}`);
  return async () => {
    for (const table of logTables) {
      await pool.query(`delete from ${table}`);
      await pool.query(`insert into ${table} overriding system value table ${name}_${table}`);
    }
  };
};
