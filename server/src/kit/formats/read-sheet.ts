import { inTurn } from '../http/turns.ts';
import { csvRows } from './read-csv.ts';
import { xlsxRows } from './read-xlsx.ts';
import type { SheetRow } from './sheet.ts';

/** Sheets read at once by this process; further ones wait, so memory does not grow with the number of uploads. */
const turns = inTurn(2);

/** The rows of an uploaded table, one by one, without those that have no text. Throws `NotASheet`. */
export async function* readSheet(path: string, extension: string): AsyncGenerator<SheetRow> {
  const release = await turns.take();
  try {
    for await (const rows of extension === 'xlsx' ? xlsxRows(path) : csvRows(path))
      for (const row of rows) if (row.cells.some((cell) => cell.trim() !== '')) yield row;
  } finally {
    release();
  }
}
