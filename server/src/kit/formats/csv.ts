import type { Cell } from '../export/cell.ts';

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

/** RFC 4180, one batch at a time. Cells are read in a loop, because an export may have a million rows of thirty cells. */
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
