import { type AuditKind, auditSpecs } from '../kinds.ts';
import { addressesOf, blindIndex, type SealedContent } from '../sealed-values.ts';
import type { AuditBatch, AuditRow, AuditTx } from './audit-row.ts';

/** Blind indexes of each kind, for exact search of sealed values. */
const indexColumns: Readonly<Record<AuditKind, readonly string[]>> = {
  auth: ['name_index', 'phone_index', 'id_number_index'],
  identity: [],
  url: [],
  forum: ['title_index'],
  mail: ['sender_index', 'receiver_index', 'subject_index'],
  terminal: [],
};

/** Index of a value: the name of the column without its end. Copies are receivers too. */
export const indexesOf = (kind: AuditKind, indexKey: Buffer, { values }: SealedContent) => {
  const found: Record<string, number | number[] | null> = {};
  for (const column of indexColumns[kind]) {
    const field = column.slice(0, -'_index'.length);
    const value = values[field];
    if (field === 'receiver') {
      const all = [...addressesOf(value), ...addressesOf(values.cc)];
      found[column] = all.map((one) => blindIndex(indexKey, field, one));
    } else found[column] = value === undefined ? null : blindIndex(indexKey, field, value);
  }
  return found;
};

/** A row after sealing. */
export interface SealedRow {
  readonly row: AuditRow;
  readonly keyId: number | null;
  readonly sealed: Buffer | null;
  readonly indexes: Readonly<Record<string, number | number[] | null>> | undefined;
}

/** JSON, because an array of a row cannot pass through unnest. */
const insertSql = (kind: AuditKind) => {
  const { table, columns } = auditSpecs[kind];
  const types = [
    ...['batch uuid', 'n integer', 'device_id bigint', 'agent_id bigint', 'subscriber_id bigint', 'key_id bigint'],
    ...columns.map(([name, type]) => `${name} ${type}`),
    ...indexColumns[kind].map((name) => `${name} ${name === 'receiver_index' ? 'bigint[]' : 'bigint'}`),
    ...['sealed bytea', 'commitment bytea', 'added_commitment bytea'],
  ];
  const names = types.map((one) => one.slice(0, one.indexOf(' ')));
  return `insert into ${table} (stored_at, ${names.join(', ')})
    select $2, ${names.map((name) => `u.${name}`).join(', ')} from json_to_recordset($1::json) as u(${types.join(', ')})`;
};

/** Text form of `bytea`. */
const bytesOf = (bytes: Buffer | null) => (bytes ? `\\x${bytes.toString('hex')}` : undefined);

export const insertRows = (tx: AuditTx, kind: AuditKind, rows: readonly SealedRow[]) => {
  const values = rows.map(({ row, keyId, sealed, indexes }) => {
    const { batch, n, device_id, agent_id, subscriber_id, plain, commitment, added_commitment } = row;
    const value = { batch, n, device_id, agent_id, subscriber_id, ...plain };
    // Values that a row does not have are left out of the JSON.
    if (sealed === null && commitment === null && added_commitment === null) return value;
    return {
      ...value,
      ...indexes,
      key_id: keyId,
      sealed: bytesOf(sealed),
      commitment: bytesOf(commitment),
      added_commitment: bytesOf(added_commitment),
    };
  });
  return tx.query(`audit_rows_${kind}`, insertSql(kind), [JSON.stringify(values), tx.now]);
};

const batchSql = `
  insert into audit_batch (id, kind, device_id, agent_id, boot, seq, count, stored_at, root, added_root)
  select u.id, u.kind, u.device_id, u.agent_id, u.boot, u.seq, u.count, $2, u.root, u.added_root
  from json_to_recordset($1::json)
    as u(id uuid, kind text, device_id bigint, agent_id bigint, boot text, seq bigint, count integer, root bytea, added_root bytea)`;

export interface BatchRoots {
  readonly batch: AuditBatch;
  readonly root: Buffer;
  readonly addedRoot: Buffer;
}

export const insertBatches = (tx: AuditTx, bound: readonly BatchRoots[]) => {
  const values = bound.map(({ batch: { rows, ...facts }, root, addedRoot }) => ({
    ...facts,
    count: rows.length,
    root: bytesOf(root),
    added_root: bytesOf(addedRoot),
  }));
  return tx.query('audit_batches', batchSql, [JSON.stringify(values), tx.now]);
};
