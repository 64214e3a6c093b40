import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import type { DocumentNumberTable } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';

const letter = { handover: 'H' } as const satisfies Record<DocumentNumberTable['kind'], string>;

/**
 * The next number of a VNO for this kind of document, such as `H20250630-17-000042`. A transaction that is rolled back returns its number, so
 * the numbers of a VNO have no holes. The row of the VNO is locked until the transaction ends.
 */
export const nextNumber = async (db: Db, agentId: number, kind: DocumentNumberTable['kind'], now: number): Promise<string> => {
  const { rows } = await sql<{ last: number }>`
    insert into document_number as d (agent_id, kind, last) values (${agentId}, ${kind}, 1)
    on conflict (agent_id, kind) do update set last = d.last + 1 returning last`.execute(db);
  const day = zonedTime(now).slice(0, 10).replaceAll('-', '');
  return `${letter[kind]}${day}-${agentId}-${String(rows[0]?.last ?? 0).padStart(6, '0')}`;
};
