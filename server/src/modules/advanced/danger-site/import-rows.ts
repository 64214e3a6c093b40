import { setImmediate as breathe } from 'node:timers/promises';
import { dangerImportFields as fields } from '@farlink/contract/advanced/danger-site.ts';
import { check } from '@farlink/contract/kit/check.ts';
import type { Env } from '@farlink/contract/kit/rule.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Db } from '../../../kit/deps.ts';
import { faultOf, type ImportRow, rawValues } from '../../../kit/formats/import-sheet.ts';
import { fullText, lockList, type Names, namesOf, refuseOwn, texts } from './read-entry.ts';

export interface Fault extends ImportRow {
  readonly message: Text;
}

interface Entry extends ImportRow, Names {
  readonly kind: string;
  readonly status: number;
  readonly remark: string | null;
}

export interface ValidRows {
  readonly entries: readonly Entry[];
  readonly faults: readonly Fault[];
}

interface ValidateOptions {
  readonly env: Env;
  readonly hosts: readonly string[];
  /** Called after each block, with the number of validated rows. */
  readonly onValidated?: (count: number) => Promise<void>;
}

/** Rows per block; other work runs between two blocks. */
const atOnce = 500;

const validate = (row: ImportRow, { env, hosts }: ValidateOptions, lines: Map<string, number>): Entry | Fault => {
  const { values, errors } = check(fields, rawValues(fields, row), env);
  const fault = faultOf(fields, errors);
  if (fault) return { ...row, message: fault };
  const names = namesOf(String(values.domain));
  const own = refuseOwn(names, hosts);
  if (own) return { ...row, message: own };
  const first = lines.get(names.ascii);
  if (first !== undefined) return { ...row, message: fill(texts.repeated, first) };
  lines.set(names.ascii, row.line);
  const remark = typeof values.remark === 'string' && values.remark !== '' ? values.remark : null;
  return { ...row, ...names, kind: String(values.kind ?? 'other'), status: Number(values.status ?? 1), remark };
};

/** Validates rows by the fields of the form, in blocks. The second of two rows with the same domain is refused. */
export const validateRows = async (rows: readonly ImportRow[], options: ValidateOptions): Promise<ValidRows> => {
  const lines = new Map<string, number>();
  const [entries, faults]: [Entry[], Fault[]] = [[], []];
  for (let at = 0; at < rows.length; at += atOnce) {
    for (const row of rows.slice(at, at + atOnce)) {
      const read = validate(row, options, lines);
      if ('message' in read) faults.push(read);
      else entries.push(read);
    }
    await options.onValidated?.(Math.min(at + atOnce, rows.length));
    await breathe();
  }
  return { entries, faults };
};

const insertBlock = async (db: Db, block: readonly Entry[], creator: string, now: number): Promise<ReadonlySet<string>> => {
  const values = block.map(({ domain, ascii, kind, status, remark }) => ({ domain, ascii, kind, status, remark }));
  const { rows } = await sql<{ ascii: string }>`
    insert into danger_site (domain, ascii, kind, status, remark, creator, create_at, update_at)
    select u.domain, u.ascii, u.kind, u.status, u.remark, ${creator}, ${now}::bigint, ${now}::bigint
    from json_to_recordset(${JSON.stringify(values)}::json) as u(domain text, ascii text, kind text, status smallint, remark text)
    on conflict (ascii) do nothing returning ascii`.execute(db);
  return new Set(rows.map(({ ascii }) => ascii));
};

/** Entries per statement. */
const perInsert = 2000;

/** Adds the entries that are not in the list yet, as far as the list has room. Returns their number and the faults of the others. */
export const insertEntries = async (
  db: Db,
  entries: readonly Entry[],
  { creator, now }: { readonly creator: string; readonly now: number },
) => {
  const faults: Fault[] = [];
  let free = await lockList(db);
  let added = 0;
  for (let at = 0; at < entries.length; at += perInsert) {
    let remaining = free;
    const block = entries.slice(at, at + perInsert).filter(({ line, cells, status }) => {
      if (status === 0 || remaining-- > 0) return true;
      faults.push({ line, cells, message: fullText });
      return false;
    });
    const inserted = await insertBlock(db, block, creator, now);
    for (const { ascii, line, cells, status } of block) {
      if (!inserted.has(ascii)) faults.push({ line, cells, message: texts.listed });
      else if (status === 1) free--;
    }
    added += inserted.size;
  }
  return { added, faults };
};
