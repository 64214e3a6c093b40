import { stat } from 'node:fs/promises';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import type { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import Cursor from 'pg-cursor';
import { type Cell, cellOf } from './cell.ts';
import { csv } from './csv.ts';
import type { ExportFormat } from './export-task.ts';
import { writeNew } from './write-new.ts';
import { xlsx } from './xlsx.ts';

/** Few enough to be done with before the collector takes them for something that stays: a thousand cost three times the memory. */
const batchRows = 200;

export type Row = Readonly<Record<string, unknown>>;
type Batches = AsyncIterable<readonly Row[]>;

/** Rows as a document of their own instead of a table. */
export type Print = (batches: Batches) => AsyncIterable<Buffer>;

export interface Snapshot {
  readonly count: number;
  batches(): AsyncGenerator<readonly Row[]>;
  close(): Promise<void>;
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** One moment of the database, on a connection of its own: the count and the rows agree, however long the reading takes. */
export const openSnapshot = async (pool: Pool, query: Statement, count: Statement): Promise<Snapshot> => {
  const client = await pool.connect();
  const parameters = [...query.parameters];
  let reading = false;
  try {
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ n: number }>(count.sql, [...count.parameters]);
    async function* batches() {
      reading = true;
      const cursor = client.query(new Cursor<Row>(query.sql, parameters));
      // The database makes the next batch while this one is written.
      let coming = cursor.read(batchRows);
      for (;;) {
        const batch = await coming;
        if (batch.length === 0) break;
        coming = cursor.read(batchRows);
        // Whoever stops in the middle never asks for it.
        coming.catch(() => {});
        yield batch;
      }
      await cursor.close();
      reading = false;
    }
    return {
      count: rows[0]?.n ?? 0,
      batches,
      close: async () => {
        // A cursor left in the middle leaves with its connection.
        if (!reading) await client.query('commit').catch(() => {});
        client.release(reading);
      },
    };
  } catch (error) {
    client.release(true);
    throw error;
  }
};

interface Sheet {
  readonly resource: Resource;
  readonly format: ExportFormat;
  readonly lang: Lang;
  readonly offsetMinutes: number;
  /** A row as it is written, where the query cannot say it: what lies sealed in the table. */
  readonly read?: ((row: Row) => Row) | undefined;
  readonly print?: Print | undefined;
}

/** Streams the rows of a snapshot into a file and answers its size; memory holds a batch, whatever the table holds. */
export const exportRows = async (
  snapshot: Snapshot,
  { resource, format, lang, offsetMinutes, read, print }: Sheet,
  path: string,
  signal: AbortSignal,
  written: (rows: number) => Promise<void>,
): Promise<number> => {
  const columns = resource.columns.flatMap((name) => {
    const field = resource.fields[name];
    return field ? [{ name, field }] : [];
  });
  async function* rows(): AsyncGenerator<readonly Row[]> {
    let count = 0;
    for await (const batch of snapshot.batches()) {
      signal.throwIfAborted();
      yield read ? batch.map(read) : batch;
      count += batch.length;
      await written(count);
    }
  }
  async function* cells(): AsyncGenerator<Cell[][]> {
    for await (const batch of rows())
      yield batch.map((row) => columns.map(({ name, field }) => cellOf(field, row[name], lang, offsetMinutes)));
  }
  const header = columns.map(({ field }) => say(field.label, lang));
  const printed = () => {
    if (!print) throw new Error('this export cannot be printed');
    return print(rows());
  };
  const content: Record<ExportFormat, () => AsyncIterable<string | Buffer>> = {
    csv: () => csv(header, cells()),
    xlsx: () => xlsx(header, cells()),
    pdf: printed,
    zip: printed,
  };
  await writeNew(path, content[format](), { signal });
  return (await stat(path)).size;
};
