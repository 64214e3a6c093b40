import { stat } from 'node:fs/promises';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import Cursor from 'pg-cursor';
import type { ExportFormat } from '../../db/column-types.ts';
import { createFile } from '../files/create-file.ts';
import { type Cell, fileCellOf, headText } from '../formats/cell.ts';
import { csvOf } from '../formats/csv.ts';
import { xlsx } from '../formats/xlsx.ts';

/** Small batches are freed before the garbage collector promotes them; thousands of rows need three times the memory. */
const batchRows = 400;

export type Row = Readonly<Record<string, unknown>>;
type Batches = AsyncIterable<readonly Row[]>;
/** Values in column order, which are read twice as fast as named rows. */
type Line = readonly unknown[];

/** Writes the rows as another document type instead of a table. */
export type Print = (batches: Batches) => AsyncIterable<Buffer>;

export interface Snapshot {
  readonly count: number;
  rows(): AsyncGenerator<readonly Row[]>;
  lines(): AsyncGenerator<readonly Line[]>;
  close(): Promise<void>;
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** One database snapshot on a separate connection, so that the count and the rows agree. */
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
      // The database prepares the next batch while this one is written.
      let coming = cursor.read(batchRows);
      for (;;) {
        const batch = await coming;
        if (batch.length === 0) break;
        coming = cursor.read(batchRows);
        // Avoids an unhandled rejection if the consumer stops early.
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
        // A connection with an open cursor is closed instead of reused.
        if (!reading) await client.query('commit').catch(() => {});
        client.release(reading);
      },
    };
  } catch (error) {
    client.release(true);
    throw error;
  }
};

/** Bytes of one write. A write costs more than its bytes, and larger ones need more memory. */
const writeBytes = 262_144;

/** Each text becomes bytes at once, so that its parts are freed before the next batch. */
async function* inLargeWrites(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    chunks.push(bytes);
    size += bytes.length;
    if (size < writeBytes) continue;
    yield Buffer.concat(chunks, size);
    [chunks, size] = [[], 0];
  }
  yield Buffer.concat(chunks, size);
}

/** A column that is worked out of stored ones, so that the database neither computes nor sends it. */
export interface Derived {
  /** One or two columns. */
  readonly from: readonly [string] | readonly [string, string];
  readonly value: (first: unknown, second: unknown) => unknown;
}

interface Sheet {
  readonly resource: Resource;
  readonly format: ExportFormat;
  readonly lang: Lang;
  readonly offsetMinutes: number;
  /** Converts values that the query cannot return, for example sealed columns. */
  readonly values?: Readonly<Record<string, (value: unknown) => unknown>> | undefined;
  /** By column; not for named rows. */
  readonly derived?: Readonly<Record<string, Derived>> | undefined;
  /** Same for conversions that need the whole row. */
  readonly read?: ((row: Row) => Row) | undefined;
  readonly print?: Print | undefined;
}

/** True if the sheet needs named rows; else the query selects the columns in order. */
export const isNamed = ({ read, print }: Pick<Sheet, 'read' | 'print'>) => read !== undefined || print !== undefined;

/** Columns that the query selects, in order. */
export const storedColumns = ({ columns }: Resource, derived: Readonly<Record<string, Derived>> = {}): readonly string[] => [
  ...new Set(columns.flatMap((name) => derived[name]?.from ?? [name])),
];

/** Lines of all columns from lines of stored columns. */
const completeLines = ({ resource, derived }: Pick<Sheet, 'resource' | 'derived'>): ((line: Line) => Line) => {
  if (!derived) return (line) => line;
  const stored = storedColumns(resource, derived);
  const readers = resource.columns.map((name) => ({
    from: (derived[name]?.from ?? [name]).map((source) => stored.indexOf(source)),
    value: derived[name]?.value ?? ((value: unknown) => value),
  }));
  return (line) => readers.map(({ from, value }) => value(line[from[0] ?? 0], line[from[1] ?? 0]));
};

/** Streams the rows of a snapshot into a file and returns its size. Memory holds only one batch. */
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
  const complete = completeLines(sheet);
  async function* completed(): AsyncGenerator<readonly Line[]> {
    for await (const batch of watched(snapshot.lines())) yield batch.map(complete);
  }
  const found = () => (isNamed(sheet) ? lines() : completed());
  const printers = columns.map(
    ({ field, value: convert }) =>
      (value: unknown): Cell =>
        fileCellOf(field, convert ? convert(value) : value, lang, offsetMinutes),
  );
  async function* cells(): AsyncGenerator<Cell[][]> {
    for await (const batch of found()) yield batch.map((line) => printers.map((print, i) => print(line[i])));
  }
  const header = columns.map(({ field }) => headText(field, lang));
  const printed = () => {
    if (!print) throw new Error('this export cannot be printed');
    return print(rows());
  };
  const content: Record<ExportFormat, () => AsyncIterable<string | Buffer>> = {
    csv: () => inLargeWrites(csvOf(header, found(), printers)),
    xlsx: () => xlsx(header, cells()),
    pdf: printed,
    zip: printed,
  };
  await createFile(path, content[format](), { signal });
  return (await stat(path)).size;
};
