import type { Cell } from './cell.ts';

/** Without it Excel reads the file in the local code page and Chinese text is garbled. */
const bom = '\ufeff';

/** = + - @, their full-width forms, and the whitespace that some spreadsheets skip before them. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/;
/** Fast check: few texts match, so most need only this test. */
const special = /^[=+\-@＝＋－＠\t]|[",\n\r]/;

/** Neutralizes text that a spreadsheet would run as a formula. A number is not text and keeps its minus sign. */
const plain = (text: string) => {
  if (!special.test(text)) return text;
  const neutral = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
};

const field = (cell: Cell): string => {
  if (cell === '') return '';
  if (typeof cell === 'number') return String(cell);
  return typeof cell === 'object' ? cell.decimal : plain(cell);
};

const none = Symbol('none');

/** The text of a cell. Neighbouring rows often have the same value, so the last text is kept. */
const textOf = (cell: (value: unknown) => Cell): ((value: unknown) => string) => {
  let last: unknown = none;
  let text = '';
  return (value) => {
    if (last === value) return text;
    last = value;
    text = field(cell(value));
    return text;
  };
};

/**
 * RFC 4180, one batch at a time. Cells are read in a loop, because an export may have a million rows of thirty cells. The same value gives
 * the same cell.
 */
export async function* csvOf(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly unknown[])[]>,
  cells: readonly ((value: unknown) => Cell)[],
): AsyncGenerator<string> {
  const texts = cells.map(textOf);
  yield `${bom}${header.map(plain).join(',')}\r\n`;
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) {
      let line = '';
      let i = 0;
      for (const textAt of texts) {
        if (i > 0) line += ',';
        line += textAt(row[i++]);
      }
      text += `${line}\r\n`;
    }
    yield text;
  }
}

const isCell = (value: unknown): value is Cell =>
  typeof value === 'string' || typeof value === 'number' || (typeof value === 'object' && value !== null && 'decimal' in value);

export const csv = (header: readonly string[], batches: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> =>
  csvOf(
    header,
    batches,
    header.map(() => (value: unknown) => (isCell(value) ? value : '')),
  );
