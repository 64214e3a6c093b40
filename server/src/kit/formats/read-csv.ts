import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { NotASheet, type SheetRow, sheetLimits, tooLarge } from './sheet.ts';

const chunkBytes = 64 * 1024;

/** UTF-8, or the encoding of Excel on a Chinese system. */
const encodings = ['utf-8', 'gb18030'] as const;

/** Decoded text, one chunk at a time. Other requests run between two chunks. */
async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const bytes of createReadStream(path, { highWaterMark: chunkBytes })) {
    yield decoder.decode(bytes, { stream: true });
    await setImmediate();
  }
  yield decoder.decode();
}

const decodes = async (path: string, encoding: string) => {
  try {
    for await (const _ of textOf(path, encoding));
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

const encodingOf = async (path: string) => {
  for (const encoding of encodings) if (await decodes(path, encoding)) return encoding;
  throw new NotASheet('no text');
};

const separatorOf = (text: string) => {
  const [first = ''] = text.split(/\r?\n/, 1);
  return [',', '\t', ';'].reduce((best, c) => (first.split(c).length > first.split(best).length ? c : best));
};

/** Removes the prefix that the CSV export adds to prevent formulas. */
const plain = (cell: string) => (/^'[=+\-@＝＋－＠\t\r]/.test(cell) ? cell.slice(1) : cell);

const countLines = (text: string) => {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
};

/** RFC 4180 over chunks: each character is read once, and text is copied in runs. */
class CsvParser {
  #separator: string | undefined;
  #special = /[,\r\n]/g;
  #cells: string[] = [];
  #cell = '';
  #rowChars = 0;
  #line = 1;
  #rowLine = 1;
  #quoted = false;
  /** The last chunk ended with a quote. It closes the cell unless the next character is a quote too. */
  #quoteSeen = false;
  #rows: SheetRow[] = [];

  write(text: string): SheetRow[] {
    if (text === '') return [];
    if (this.#separator === undefined) {
      this.#separator = separatorOf(text);
      this.#special = new RegExp(`[${this.#separator}\\r\\n]`, 'g');
    }
    for (let at = 0; at < text.length; ) at = this.#quoted ? this.#inQuotes(text, at) : this.#outside(text, at);
    return this.#takeRows();
  }

  end(): SheetRow[] {
    if (this.#quoted && !this.#quoteSeen) throw new NotASheet('a quote never ends');
    this.#endCell();
    if (this.#cells.some((cell) => cell !== '')) this.#endRow();
    return this.#takeRows();
  }

  #takeRows() {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #add(run: string) {
    this.#rowChars += run.length;
    if (this.#cell.length + run.length > sheetLimits.cell) throw tooLarge.cell();
    if (this.#rowChars > sheetLimits.row) throw tooLarge.row(this.#rowLine);
    this.#cell += run;
  }

  #inQuotes(text: string, at: number): number {
    if (this.#quoteSeen) {
      this.#quoteSeen = false;
      if (text[at] !== '"') {
        this.#quoted = false;
        return at;
      }
      this.#add('"');
      return at + 1;
    }
    const quote = text.indexOf('"', at);
    const run = text.slice(at, quote < 0 ? text.length : quote);
    this.#line += countLines(run);
    this.#add(run);
    this.#quoteSeen = quote >= 0;
    return quote < 0 ? text.length : quote + 1;
  }

  #outside(text: string, at: number): number {
    if (text[at] === '"' && this.#cell === '') {
      this.#quoted = true;
      return at + 1;
    }
    this.#special.lastIndex = at;
    const found = this.#special.exec(text);
    this.#add(text.slice(at, found?.index ?? text.length));
    if (!found) return text.length;
    if (found[0] === this.#separator) this.#endCell();
    else if (found[0] === '\n') {
      this.#line++;
      this.#endCell();
      this.#endRow();
    } else this.#rowChars++;
    return found.index + 1;
  }

  #endCell() {
    // Separators count as well, so a line of only separators is a line.
    this.#rowChars++;
    if (this.#cells.length < sheetLimits.columns) this.#cells.push(plain(this.#cell));
    this.#cell = '';
  }

  #endRow() {
    if (this.#rowChars > sheetLimits.row) throw tooLarge.row(this.#rowLine);
    if (this.#rowLine > sheetLimits.rows) throw tooLarge.rows();
    this.#rows.push({ line: this.#rowLine, cells: this.#cells });
    this.#cells = [];
    this.#rowChars = 0;
    this.#rowLine = this.#line;
  }
}

export async function* csvRows(path: string): AsyncGenerator<readonly SheetRow[]> {
  const parser = new CsvParser();
  for await (const text of textOf(path, await encodingOf(path))) yield parser.write(text);
  yield parser.end();
}
