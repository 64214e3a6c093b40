import type { Cell } from './cell.ts';

/** Without it Excel takes the file for the local code page and Chinese for noise. */
const bom = '\ufeff';

/** = + - @ and the blanks that some spreadsheets pass over before them. */
const formula = new Set([...'=+-@\t\r'].map((c) => c.charCodeAt(0)));

/** Text that a spreadsheet would run as a formula is made plain text; a number is not text and keeps its minus. */
const neutral = (text: string) => (formula.has(text.charCodeAt(0)) ? `'${text}` : text);

const special = /[",\r\n]/;
const quoted = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const field = (cell: Cell): string => {
  if (cell === '') return '';
  if (typeof cell === 'number') return String(cell);
  return typeof cell === 'object' ? cell.decimal : quoted(neutral(cell));
};

/** A million rows of thirty cells pass here: a loop, because it costs half of what map and join do. */
const line = (cells: readonly Cell[]) => {
  let text = '';
  for (let i = 0; i < cells.length; i++) text += (i === 0 ? '' : ',') + field(cells[i] ?? '');
  return `${text}\r\n`;
};

/** RFC 4180, batch by batch: it never holds more than one. */
export async function* csv(header: readonly string[], batches: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  yield bom + line(header);
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) text += line(row);
    yield text;
  }
}
