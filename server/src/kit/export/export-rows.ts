import { stat } from 'node:fs/promises';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import Cursor from 'pg-cursor';
import type { ExportFormat } from '../../db/column-types.ts';
import { createFile } from '../files/create-file.ts';
import { csvOf } from '../formats/csv.ts';
import { xlsx } from '../formats/xlsx.ts';
import { type Cell, cellOf, headText } from './cell.ts';

/** Few enough to be done with before the collector takes them for something that stays: thousands cost three times the memory. */
const batchRows = 400;

export type Row = Readonly<Record<string, unknown>>;
type Batches = AsyncIterable<readonly Row[]>;
/** The values of a row in the order of its columns: read in half the time that one with names takes. */
type Line = readonly unknown[];

/** Rows as a document of their own instead of a table. */
export type Print = (batches: Batches) => AsyncIterable<Buffer>;

export interface Snapshot {
  readonly count: number;
  rows(): AsyncGenerator<readonly Row[]>;
  lines(): AsyncGenerator<readonly Line[]>;
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
    async function* batches<R>(mode?: { readonly rowMode: 'array' }) {
      reading = true;
      const cursor = client.query(new Cursor<R>(query.sql, parameters, mode));
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
      rows: () => batches<Row>(),
      lines: () => batches<Line>({ rowMode: 'array' }),
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
  /** A value as it is written, where the query cannot say it: what lies sealed in the table. */
  readonly values?: Readonly<Record<string, (value: unknown) => unknown>> | undefined;
  /** The same where it takes the whole row. */
  readonly read?: ((row: Row) => Row) | undefined;
  readonly print?: Print | undefined;
}

/** Whether a sheet is made of named rows; else the query selects the columns of the resource in their order. */
export const isNamed = ({ read, print }: Pick<Sheet, 'read' | 'print'>) => read !== undefined || print !== undefined;

/** Streams the rows of a snapshot into a file and answers its size; memory holds a batch, whatever the table holds. */
export const exportRows = async (
  snapshot: Snapshot,
  sheet: Sheet,
  path: string,
  signal: AbortSignal,
  written: (rows: number) => Promise<void>,
): Promise<number> => {
  const { resource, format, lang, offsetMinutes, values = {}, read, print } = sheet;
  const columns = resource.columns.flatMap((name) => {
    const field = resource.fields[name];
    return field ? [{ name, field, value: values[name] }] : [];
  });
  async function* watched<R>(batches: AsyncIterable<readonly R[]>): AsyncGenerator<readonly R[]> {
    let count = 0;
    for await (const batch of batches) {
      signal.throwIfAborted();
      yield batch;
      count += batch.length;
      await written(count);
    }
  }
  async function* rows(): AsyncGenerator<readonly Row[]> {
    for await (const batch of watched(snapshot.rows())) yield read ? batch.map(read) : batch;
  }
  async function* lines(): AsyncGenerator<readonly Line[]> {
    for await (const batch of rows()) yield batch.map((row) => columns.map(({ name }) => row[name]));
  }
  const found = () => (isNamed(sheet) ? lines() : watched(snapshot.lines()));
  const cellAt = (line: Line, i: number): Cell => {
    const column = columns[i];
    return column ? cellOf(column.field, column.value ? column.value(line[i]) : line[i], lang, offsetMinutes) : '';
  };
  async function* cells(): AsyncGenerator<Cell[][]> {
    for await (const batch of found()) yield batch.map((line) => columns.map((_, i) => cellAt(line, i)));
  }
  const header = columns.map(({ field }) => headText(field, lang));
  const printed = () => {
    if (!print) throw new Error('this export cannot be printed');
    return print(rows());
  };
  const content: Record<ExportFormat, () => AsyncIterable<string | Buffer>> = {
    csv: () => csvOf(header, found(), cellAt),
    xlsx: () => xlsx(header, cells()),
    pdf: printed,
    zip: printed,
  };
  await createFile(path, content[format](), { signal });
  return (await stat(path)).size;
};
