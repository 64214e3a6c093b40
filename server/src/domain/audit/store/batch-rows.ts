import { randomBytes } from 'node:crypto';
import { isPlausible, plausibleTime } from '@farlink/gateway/protocol/clock.ts';
import { newBatchId } from '../batch-id.ts';
import { type AuditKind, auditSpecs, kindOfStream } from '../kinds.ts';
import type { SealedContent } from '../sealed-values.ts';
import type { AuditBatch, AuditItem, AuditRow, Cell, Cells } from './audit-row.ts';
import type { Owner, Person } from './owners.ts';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

type Named = readonly (readonly [name: string, value: string | null])[];

const addedOf = ({ name, phone, id_number }: Person): Named => [
  ['name', textOf(name)],
  ['phone', textOf(phone)],
  ['id_number', textOf(id_number())],
];

/** Values of a row that are sealed: those that the gateway reported and those of the subscriber. */
const contentOf = (kind: AuditKind, cells: Cells, person: Person | undefined): SealedContent | undefined => {
  const { sealed } = auditSpecs[kind];
  const added = kind === 'auth' && person ? addedOf(person) : [];
  const reported = sealed.map(([name, wire]) => [name, textOf(cells[wire])] as const);
  const values = [...reported, ...added].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  if (values.length === 0) return undefined;
  return {
    ...(reported.length > 0 && { salt: String(cells.salt) }),
    ...(added.length > 0 && { addedSalt: randomBytes(16).toString('hex') }),
    values: Object.fromEntries(values),
  };
};

/** The time of the row must be known, so that of storing replaces an impossible one. Impossible other times are left out. */
const timeOf = (column: string, value: Cell, now: number): Cell => {
  if (typeof value !== 'number') return value;
  return column === 'at' ? plausibleTime(value, now) : isPlausible(value, now) ? value : null;
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

/** Rows of a batch with what the console adds: owner, subscriber and its values. */
export const batchRows = (item: AuditItem, owner: Owner, now: number): AuditBatch => {
  const kind = kindOfStream(item.stream);
  const batch = newBatchId();
  const rows = item.body.rows.map((cells, n): AuditRow => {
    const plain = plainOf(kind, cells, now);
    const { agent, person } = owner(item.device, String(plain.account ?? ''), Number(plain.at));
    return {
      batch,
      n,
      device_id: item.device,
      agent_id: agent,
      subscriber_id: person?.id ?? null,
      plain,
      content: contentOf(kind, cells, person),
      commitment: null,
      added_commitment: null,
    };
  });
  const { agent } = owner(item.device, '', now);
  return { id: batch, kind, device_id: item.device, agent_id: agent, boot: item.body.b, seq: item.body.seq, rows };
};
