import { openSemaphore } from '../semaphore.ts';
import { csvRows } from './read-csv.ts';
import { xlsxRows } from './read-xlsx.ts';
import type { SheetRow } from './sheet.ts';

/** Sheets read concurrently by this process; others wait, so that memory does not grow with the number of uploads. */
const slots = openSemaphore(2);

/** Rows of an uploaded table, without empty ones. Throws `NotASheet`. */
export async function* readSheet(path: string, extension: string): AsyncGenerator<SheetRow> {
  const release = await slots.acquire();
  try {
    for await (const rows of extension === 'xlsx' ? xlsxRows(path) : csvRows(path))
      for (const row of rows) if (row.cells.some((cell) => cell.trim() !== '')) yield row;
  } finally {
    release();
  }
}
