import { randomBytes } from 'node:crypto';
import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';
import { credible } from '@farlink/gateway/protocol/clock.ts';
import { newBatchId } from '../../domain/audit/batch-id.ts';
import { type AuditKind, addedValues, auditSpecs, kindOfStream } from '../../domain/audit/kinds.ts';
import { addedLeaf, commit, rowLeaf } from '../../domain/audit/leaves.ts';
import { rootOf } from '../../domain/audit/merkle.ts';
import { addressesOf, blindIndex, indexKeyOf, type SealedContent, sealValues } from '../../domain/audit/sealed-values.ts';
import { keyName, monthOf, subjectKeys, subjectOf } from '../../domain/audit/subject-keys.ts';
import { auditOwners, type Owner, type Person } from './audit-owners.ts';
import type { AuditRow, Cell } from './audit-row.ts';
import { storeTerminals } from './audit-terminals.ts';
import type { BatchItem, Tx } from './tx.ts';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Sealed values of a row: those that the gateway reported and those of the subscriber. */
const sealedOf = (kind: AuditKind, cells: Readonly<Record<string, string | number>>, person: Person | undefined) => {
  const { sealed } = auditSpecs[kind];
  const reported = sealed.map(([name, wire]) => [name, textOf(cells[wire])] as const);
  const added = kind === 'auth' && person ? addedValues.map((name) => [name, textOf(person[name])] as const) : [];
  const values = [...reported, ...added].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  if (values.length === 0) return { content: undefined, commitment: null, added_commitment: null };
  const salt = reported.length > 0 ? Buffer.from(String(cells.salt), 'hex') : undefined;
  const addedSalt = added.length > 0 ? randomBytes(16) : undefined;
  return {
    content: {
      ...(salt ? { salt: salt.toString('hex') } : {}),
      ...(addedSalt ? { addedSalt: addedSalt.toString('hex') } : {}),
      values: Object.fromEntries(values),
    },
    commitment: salt
      ? commit(
          salt,
          reported.map(([, value]) => value),
        )
      : null,
    added_commitment: addedSalt
      ? commit(
          addedSalt,
          added.map(([, value]) => value),
        )
      : null,
  };
};

/** Times that a gateway without a clock cannot know are the time of storing. */
const timeOf = (value: Cell, now: number): Cell => (typeof value === 'number' && !credible(value, now) ? now : value);

const plainOf = (kind: AuditKind, cells: Readonly<Record<string, string | number>>, now: number): Record<string, Cell> =>
  Object.fromEntries(
    auditSpecs[kind].columns.map(([column, , wire]) => {
      const value = cells[wire] ?? null;
      return [column, column.endsWith('at') ? timeOf(value, now) : column === 'account' ? (value ?? '') : value];
    }),
  );

const leafRow = (row: AuditRow) => ({ ...row.plain, ...row, plain: undefined, content: undefined });

/** Columns that differ by kind: blind indexes for exact search. */
const indexesOf = (kind: AuditKind, indexKey: Buffer, content: SealedContent | undefined): Record<string, string | string[] | null> => {
  const of = (field: string) => {
    const value = content?.values[field];
    return value === undefined ? null : blindIndex(indexKey, field, value);
  };
  if (kind === 'auth') return { name_index: of('name'), phone_index: of('phone'), id_number_index: of('id_number') };
  if (kind === 'forum') return { title_index: of('title') };
  if (kind !== 'mail') return {};
  const receivers = [...addressesOf(content?.values.receiver), ...addressesOf(content?.values.cc)];
  return {
    sender_index: of('sender'),
    receiver_index: receivers.map((one) => blindIndex(indexKey, 'receiver', one)),
    subject_index: of('subject'),
  };
};

/** JSON, because arrays of arrays and bytes cannot pass through unnest. */
const insertSql = (kind: AuditKind, extra: readonly string[]) => {
  const { table, columns } = auditSpecs[kind];
  const types = [
    ...['batch uuid', 'n integer', 'device_id bigint', 'agent_id bigint', 'subscriber_id bigint', 'key_id bigint'],
    ...columns.map(([name, type]) => `${name} ${type}`),
    ...extra.map((name) => `${name} ${name === 'receiver_index' ? 'bigint[]' : 'bigint'}`),
  ];
  const names = types.map((one) => one.slice(0, one.indexOf(' '))).join(', ');
  const bytes = ['sealed', 'commitment', 'added_commitment'];
  return `insert into ${table} (stored_at, ${bytes.join(', ')}, ${names})
    select $2, ${bytes.map((name) => `decode(u.${name}, 'hex')`).join(', ')}, ${names
      .split(', ')
      .map((name) => `u.${name}`)
      .join(', ')}
    from json_to_recordset($1::json) as u(${[...bytes.map((name) => `${name} text`), ...types].join(', ')})`;
};

const batchSql = `
  insert into audit_batch (id, kind, device_id, agent_id, boot, seq, count, stored_at, root, added_root, signature)
  select u.id, $2, u.device_id, u.agent_id, u.boot, u.seq, u.count, $3, decode(u.root, 'hex'), decode(u.added_root, 'hex'), decode(u.signature, 'hex')
  from json_to_recordset($1::json)
    as u(id uuid, device_id bigint, agent_id bigint, boot text, seq bigint, count integer, root text, added_root text, signature text)`;

const rowsOf = (kind: AuditKind, item: BatchItem, batch: string, owner: Owner, now: number): AuditRow[] =>
  item.body.rows.map((cells, n) => {
    const plain = plainOf(kind, cells, now);
    const { agent, person } = owner(item.device, String(plain.account ?? ''), Number(plain.at));
    return {
      ...{ batch, n, device_id: item.device, agent_id: agent, subscriber_id: person?.id ?? null, plain },
      ...sealedOf(kind, cells, person),
    };
  });

const sealRows = async (tx: Tx, kind: AuditKind, rows: readonly AuditRow[]) => {
  const subjects = rows.map((row) =>
    row.content
      ? {
          subject: subjectOf({ ...row, account: textOf(row.plain.account), mac: textOf(row.plain.mac) }),
          month: monthOf(Number(row.plain.at)),
        }
      : undefined,
  );
  const wanted = subjects.filter((one) => one !== undefined);
  const keys =
    wanted.length > 0
      ? await subjectKeys((name, text, values) => tx.query(name, text, values), tx.secretKey, tx.now, wanted)
      : new Map<string, never>();
  const indexKey = wanted.length > 0 ? indexKeyOf(tx.secretKey) : Buffer.alloc(0);
  return rows.map((row, i) => {
    const subject = subjects[i];
    const key = subject && keys.get(keyName(subject));
    const { plain, content, commitment, added_commitment, ...ids } = row;
    return {
      ...ids,
      ...plain,
      ...indexesOf(kind, indexKey, content),
      key_id: key?.id ?? null,
      sealed: key && content ? sealValues(key.key, content).toString('hex') : null,
      commitment: commitment?.toString('hex') ?? null,
      added_commitment: added_commitment?.toString('hex') ?? null,
    };
  });
};

/** Stores audit batches with the roots that bind their rows, in the commit of the batches. */
export const storeAudit = async (tx: Tx, stream: AuditStream, items: readonly BatchItem[]) => {
  const kind = kindOfStream(stream);
  const filled = items.filter(({ body }) => body.rows.length > 0);
  if (filled.length === 0) return;
  const owner = await auditOwners(tx, filled);
  const batches = filled.map((item) => {
    const id = newBatchId();
    const rows = rowsOf(kind, item, id, owner, tx.now);
    const leaves = rows.map(leafRow);
    return {
      rows,
      facts: {
        ...{ id, device_id: item.device, agent_id: owner(item.device, '', tx.now).agent, boot: item.body.b, seq: item.body.seq },
        count: rows.length,
        root: rootOf(leaves.map((row) => rowLeaf(kind, row))).toString('hex'),
        added_root: rootOf(leaves.map((row) => addedLeaf(kind, row))).toString('hex'),
      },
    };
  });
  const rows = batches.flatMap((batch) => batch.rows);
  const sealed = await sealRows(tx, kind, rows);
  const extra = Object.keys(indexesOf(kind, Buffer.alloc(0), undefined));
  await tx.query(`audit_rows_${kind}`, insertSql(kind, extra), [JSON.stringify(sealed), tx.now]);
  await tx.query('audit_batches', batchSql, [JSON.stringify(batches.map(({ facts }) => facts)), kind, tx.now]);
  if (kind === 'terminal') await storeTerminals(tx, rows);
};
