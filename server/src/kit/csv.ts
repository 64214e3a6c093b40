import type { Cell } from './cell.ts';

/** Without it Excel takes the file for the local code page and Chinese for noise. */
const bom = '\ufeff';

/** Text that a spreadsheet would run as a formula is made plain text; a number is not text and keeps its minus. */
const neutral = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const field = (cell: Cell): string => {
  if (typeof cell === 'number') return String(cell);
  return typeof cell === 'object' ? cell.decimal : quoted(neutral(cell));
};

const line = (cells: readonly Cell[]) => `${cells.map(field).join(',')}\r\n`;

/** RFC 4180, batch by batch: it never holds more than one. */
export async function* csv(header: readonly string[], batches: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  yield bom + line(header);
  for await (const rows of batches) yield rows.map(line).join('');
}
