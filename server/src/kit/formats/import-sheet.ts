import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { zoneSeconds } from '@farlink/contract/kit/zone.ts';
import { fail, failAt } from '../fail.ts';
import { readSheet } from './read-sheet.ts';
import { NotASheet, type SheetRow, SheetTooLarge } from './sheet.ts';

/** Columns added by the server; an import ignores them. */
export const noteLabel: Text = ['填写说明', 'Notes'];
export const reasonLabel: Text = ['失败原因', 'Reason'];
/** Marks the example rows of a template. */
export const exampleMark: Text = ['示例行，导入时忽略。', 'Example, ignored by the import. '];

const plain = (text: string) =>
  text
    .replace(/[*＊\s]+$/u, '')
    .trim()
    .toLowerCase();
const isOneOf = (cell: string, text: Text) => text.some((label) => plain(label) === plain(cell));

const notTemplate = (why: Text) => fail('wrong_media', { fields: { file: why } });

/** Names of the fields in the order of the columns. */
export const columnsOf = <F extends Fields>(fields: F): readonly (keyof F & string)[] =>
  Object.keys(fields).filter((name): name is keyof F & string => name in fields);

/** Header of a template in the language of the reader. */
export const templateHeader = (fields: Fields, lang: Lang): string[] => [
  ...Object.values(fields).map(({ label, required }) => `${say(label, lang)}${required ? '*' : ''}`),
  say(noteLabel, lang),
];

/** Field of each column; null for a column that the import ignores. */
const readHeader = (fields: Fields, cells: readonly string[]): readonly (string | null)[] => {
  const header = cells.map((cell) => {
    if (cell.trim() === '' || isOneOf(cell, noteLabel) || isOneOf(cell, reasonLabel)) return null;
    const column = Object.entries(fields).find(([, { label }]) => isOneOf(cell, label));
    if (!column)
      throw notTemplate(fill(['请使用导入模板：不认识的列“{0}”', 'Use the import template: unknown column "{0}"'], cell.slice(0, 25)));
    return column[0];
  });
  const missing = Object.entries(fields).find(([name, { required }]) => required && !header.includes(name));
  if (missing)
    throw notTemplate(fill(['请使用导入模板：缺少列“{0}”', 'Use the import template: column "{0}" is missing'], missing[1].label));
  return header;
};

export interface ImportRow {
  readonly line: number;
  /** Cells in the order of the fields. */
  readonly cells: readonly string[];
}

const isExample = (row: SheetRow) => row.cells.some((cell) => exampleMark.some((mark) => cell.startsWith(mark)));

/** Rows of an uploaded file in the column order of the fields. */
export const readRows = async (
  { path, extension }: { readonly path: string; readonly extension: string },
  fields: Fields,
  maxRows: number,
): Promise<ImportRow[]> => {
  const rows: ImportRow[] = [];
  const names = Object.keys(fields);
  let order: readonly number[] | undefined;
  try {
    for await (const row of readSheet(path, extension)) {
      if (!order) {
        const header = readHeader(fields, row.cells);
        order = names.map((name) => header.indexOf(name));
      } else if (!isExample(row)) rows.push({ line: row.line, cells: order.map((at) => row.cells[at]?.trim() ?? '') });
      if (rows.length > maxRows) throw failAt('file', fill(['一次最多导入{0}行', 'At most {0} rows per import'], maxRows));
    }
  } catch (error) {
    if (error instanceof SheetTooLarge) throw failAt('file', error.text);
    if (error instanceof NotASheet) throw notTemplate(['文件已损坏或不是导入模板', 'The file is damaged or is not the import template']);
    throw error;
  }
  if (rows.length === 0) throw notTemplate(['文件中没有数据', 'The file has no data']);
  return rows;
};

export const daySeconds = 86_400;
/** 1970-01-01 as an Excel serial day number. */
const excelEpoch = 25_569;

/**
 * Last second of a day in UTC+8, for all common date formats. Other text is returned as text that is no number, so validation refuses it.
 */
export const dayIn = (cell: string): number | string => {
  const serial = /^\d{5}(\.\d+)?$/.test(cell) ? Math.floor(Number(cell)) : undefined;
  const [, y, m, d] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T].*)?$/.exec(cell) ?? [];
  const day = serial === undefined ? Date.UTC(Number(y), Number(m) - 1, Number(d)) / 1000 : (serial - excelEpoch) * daySeconds;
  const isValid = serial !== undefined || new Date(day * 1000).getUTCDate() === Number(d);
  return Number.isFinite(day) && isValid ? day + daySeconds - 1 - zoneSeconds : `?${cell}`;
};

const rawOf = (field: Field, cell: string): unknown => {
  if (cell === '') return undefined;
  if (field.kind === 'date') return dayIn(cell);
  if (field.kind === 'choice') return field.options?.find((o) => String(o.id) === cell || isOneOf(cell, o.label))?.id ?? cell;
  return cell;
};

/** Values of a row in the API format. */
export const rawValues = (fields: Fields, { cells }: ImportRow): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field], i) => [name, rawOf(field, cells[i] ?? '')]));

/** Errors of a row as one text, each with the label of its column. */
export const faultOf = (fields: Fields, errors: Readonly<Record<string, Text>>): Text | null => {
  const faults = Object.entries(errors).map(([name, text]): Text => {
    const field = fields[name];
    return field ? fill(['{0}：{1}', '{0}: {1}'], field.label, text) : text;
  });
  return joinFaults(faults);
};

export const joinFaults = (faults: readonly Text[]): Text | null =>
  faults.length > 0 ? [faults.map((f) => f[0]).join('；'), faults.map((f) => f[1]).join('; ')] : null;
