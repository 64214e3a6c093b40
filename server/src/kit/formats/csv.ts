import type { Cell } from '../export/cell.ts';

/** Without it Excel takes the file for the local code page and Chinese for noise. */
const bom = '\ufeff';

/** = + - @, their full-width forms, and the blanks that some spreadsheets skip before them. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/;
/** Nearly no text is one of these, so that one look is enough for nearly all. */
const special = /^[=+\-@＝＋－＠\t]|[",\n\r]/;

/** Text that a spreadsheet would run as a formula is made plain text; a number is not text and keeps its minus. */
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

/**
 * RFC 4180, batch by batch: it never holds more than one. Asked cell by cell and put together in a loop, because a million rows of
 * thirty cells pass here.
 */
export async function* csvOf<R>(
  header: readonly string[],
  batches: AsyncIterable<readonly R[]>,
  cellAt: (row: R, column: number) => Cell,
): AsyncGenerator<string> {
  yield `${bom}${header.map(plain).join(',')}\r\n`;
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) {
      for (let i = 0; i < header.length; i++) text += (i === 0 ? '' : ',') + field(cellAt(row, i));
      text += '\r\n';
    }
    yield text;
  }
}

export const csv = (header: readonly string[], batches: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> =>
  csvOf(header, batches, (row, i) => row[i] ?? '');
