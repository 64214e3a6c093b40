import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { openDatabase } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

type Column = {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly array: boolean;
  readonly choices: readonly string[] | null;
  readonly required: boolean;
  readonly defaulted: boolean;
  readonly always: boolean;
  readonly comment: string | null;
};

/** A column comment `ts: …` sets the type where SQL cannot. For a view, which has no NOT NULL, it is the whole type. */
const columnsSql = `
  select c.relname as table, a.attname as column, coalesce(e.typname, t.typname) as type, e.oid is not null as array,
    (select array_agg(v.enumlabel::text order by v.enumsortorder) from pg_enum v where v.enumtypid = coalesce(e.oid, t.oid)) as choices,
    a.attnotnull or (c.relkind in ('v', 'm') and col_description(c.oid, a.attnum) like 'ts: %') as required, a.atthasdef or a.attidentity <> '' as defaulted, a.attgenerated <> '' or a.attidentity = 'a' as always,
    col_description(c.oid, a.attnum) as comment
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition and c.relname <> 'migration'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname collate "C", a.attnum`;

const scalars: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  citext: 'string',
  uuid: 'string',
  ltree: 'string',
  inet: 'string',
  cidr: 'string',
  macaddr: 'string',
  tsvector: 'string',
  date: 'string',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
};

const typeOf = ({ table, column, type, array, choices, comment }: Column): string => {
  const scalar = comment?.match(/^ts: (.+)$/)?.[1] ?? choices?.map((c) => `'${c}'`).join(' | ') ?? scalars[type];
  if (!scalar) throw new Error(`generate-types does not know the type ${type} of ${table}.${column}`);
  if (!array) return scalar;
  if (choices) throw new Error(`the driver does not read arrays of an enum: ${table}.${column}`);
  return `${scalar}[]`;
};

const line = (c: Column): string => {
  const nullable = c.required ? '' : ' | null';
  const read = typeOf(c) + nullable;
  // The driver would write an array as a PostgreSQL array, so JSON is passed as text.
  if (c.type.startsWith('json') && !c.array)
    return `  ${c.column}: ColumnType<${read}, string${nullable}${c.defaulted || nullable ? ' | undefined' : ''}, string${nullable}>;`;
  if (c.always) return `  ${c.column}: GeneratedAlways<${read}>;`;
  return `  ${c.column}: ${c.defaulted ? `Generated<${read}>` : read};`;
};

const nameOf = (table: string) => `${table.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}Table`;

/** Names in column comments, without strings and built-in types: exports of column-types.ts. */
const columnTypes = (columns: readonly Column[]) => {
  const names = columns.flatMap(
    ({ comment }) =>
      comment
        ?.match(/^ts: (.+)$/)?.[1]
        ?.replace(/'[^']*'/g, '')
        .match(/\b[A-Z]\w*/g) ?? [],
  );
  return [...new Set(names)].filter((name) => name !== 'Record' && name !== 'Readonly').sort();
};

/** Table types of a migrated database, as the text of tables.ts. */
export const describeTables = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<Column>(columnsSql);
  const tables = Object.entries(Object.groupBy(rows, (c) => c.table));
  const body = [
    ...tables.map(([table, columns = []]) => `export interface ${nameOf(table)} {\n${columns.map(line).join('\n')}\n}\n`),
    `export interface Database {\n${tables.map(([table]) => `  ${table}: ${nameOf(table)};`).join('\n')}\n}\n`,
  ].join('\n');
  const names = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) => body.includes(`${name}<`));
  const types = columnTypes(rows);
  return [
    '// Written from server/migrations by `npm run tables`; edits are lost.',
    ...(names.length > 0 ? [`import type { ${names.join(', ')} } from 'kysely';`] : []),
    ...(types.length > 0 ? ['import type {', ...types.map((name) => `  ${name},`), "} from './column-types.ts';"] : []),
    '',
    ...(body.includes('Json') ? ['export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };', ''] : []),
    body,
  ].join('\n');
};

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-tables-'));
  const embedded = await startEmbedded(folder, { fsync: false });
  try {
    const { pool } = await openDatabase(embedded.url, { max: 1 });
    await migrate(pool);
    writeFileSync(fileURLToPath(new URL('./tables.ts', import.meta.url)), await describeTables(pool));
    await pool.end();
  } finally {
    await embedded.stop();
    rmSync(folder, { recursive: true });
  }
}
