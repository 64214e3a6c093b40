import { randomBytes } from 'node:crypto';
import { credible, trueTime } from '@farlink/gateway/protocol/clock.ts';
import { newBatchId } from '../../domain/audit/batch-id.ts';
import { type AuditKind, auditSpecs, kindOfStream } from '../../domain/audit/kinds.ts';
import { commit } from '../../domain/audit/leaves.ts';
import type { Owner, Person } from './audit-owners.ts';
import type { AuditBatch, AuditItem, AuditRow, Cell, Cells } from './audit-row.ts';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

type Named = readonly (readonly [name: string, value: string | null])[];
const nothing = { content: undefined, commitment: null, added_commitment: null };

const commitmentOf = (salt: Buffer | undefined, values: Named) =>
  salt
    ? commit(
        salt,
        values.map(([, value]) => value),
      )
    : null;

/** In the order of `addedValues`. */
const addedOf = ({ name, phone, id_number }: Person): Named => [
  ['name', textOf(name)],
  ['phone', textOf(phone)],
  ['id_number', textOf(id_number())],
];

/** Sealed values of a row: those that the gateway reported and those of the subscriber. */
const sealedOf = (kind: AuditKind, cells: Cells, person: Person | undefined) => {
  const { sealed } = auditSpecs[kind];
  const added = kind === 'auth' && person ? addedOf(person) : [];
  if (sealed.length === 0 && added.length === 0) return nothing;
  const reported = sealed.map(([name, wire]) => [name, textOf(cells[wire])] as const);
  const values = [...reported, ...added].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  if (values.length === 0) return nothing;
  const salt = reported.length > 0 ? Buffer.from(String(cells.salt), 'hex') : undefined;
  const addedSalt = added.length > 0 ? randomBytes(16) : undefined;
  const content = {
    ...(salt && { salt: salt.toString('hex') }),
    ...(addedSalt && { addedSalt: addedSalt.toString('hex') }),
    values: Object.fromEntries(values),
  };
  return { content, commitment: commitmentOf(salt, reported), added_commitment: commitmentOf(addedSalt, added) };
};

/** The time of the row must be known, so that of storing replaces an impossible one. Impossible other times are left out. */
const timeOf = (column: string, value: Cell, now: number): Cell => {
  if (typeof value !== 'number') return value;
  return column === 'at' ? trueTime(value, now) : credible(value, now) ? value : null;
};

const timeColumns: ReadonlySet<string> = new Set(['at', 'login_at', 'logout_at']);

const plainOf = (kind: AuditKind, cells: Cells, now: number): Record<string, Cell> => {
  const plain: Record<string, Cell> = {};
  for (const [column, , wire] of auditSpecs[kind].columns) {
    const value = cells[wire] ?? null;
    plain[column] = timeColumns.has(column) ? timeOf(column, value, now) : value;
  }
  return plain;
};

/** Rows of a batch with what the console adds: owner, subscriber and commitments. */
export const batchRows = (item: AuditItem, owner: Owner, now: number): AuditBatch => {
  const kind = kindOfStream(item.stream);
  const batch = newBatchId();
  const rows = item.body.rows.map((cells, n): AuditRow => {
    const plain = plainOf(kind, cells, now);
    const { agent, person } = owner(item.device, String(plain.account ?? ''), Number(plain.at));
    const { content, commitment, added_commitment } = sealedOf(kind, cells, person);
    return {
      ...{ batch, n, device_id: item.device, agent_id: agent, subscriber_id: person?.id ?? null, plain },
      ...{ content, commitment, added_commitment },
    };
  });
  const { agent } = owner(item.device, '', now);
  return { id: batch, kind, device_id: item.device, agent_id: agent, boot: item.body.b, seq: item.body.seq, rows };
};
