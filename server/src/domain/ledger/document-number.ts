import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import type { DocumentNumberTable } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';

type Kind = DocumentNumberTable['kind'];

const letter = { bill: 'B', handover: 'H', stock: 'S' } as const satisfies Record<Kind, string>;

/**
 * SQL of the next number of a VNO for this kind of document, such as `B20250630-17-000042`. A transaction that is rolled back returns its
 * number, so the numbers of a VNO have no holes. The counter is locked until the transaction ends.
 */
export const nextNumber = (agentId: number, kind: Kind, now: number) => {
  const day = zonedTime(now).slice(0, 10).replaceAll('-', '');
  return sql<string>`${`${letter[kind]}${day}-${agentId}-`} || lpad(next_document_number(${agentId}, ${kind})::text, 6, '0')`;
};

/** Returns the number that the transaction has just taken and not used. */
export const returnNumber = (db: Db, agentId: number, kind: Kind) =>
  db
    .updateTable('document_number')
    .set((eb) => ({ last: eb('last', '-', 1) }))
    .where('agent_id', '=', agentId)
    .where('kind', '=', kind)
    .execute();
