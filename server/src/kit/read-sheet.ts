import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** The file is none, or none that a spreadsheet would write. */
export class NotASheet extends Error {}

export interface SheetRow {
  /** As a spreadsheet counts them, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const maxPart = 96 * 1024 * 1024;
/** No row of ours comes near it; a part without rows must not fill the memory. */
const maxElement = 1024 * 1024;
const maxStrings = 2_000_000;
const maxColumns = 256;
const localBytes = 30;

/** What an entry unpacks to, piece by piece, and never more than its directory said. */
async function* unpack(path: string, entry: ZipEntry): AsyncGenerator<string> {
  if (entry.size > maxPart) throw new NotASheet('a part is too large');
  const file = await open(path);
  const header = Buffer.alloc(localBytes);
  await file.read(header, 0, localBytes, entry.offset).finally(() => file.close());
  const start = entry.offset + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = createReadStream(path, { start, end: start + Math.max(entry.compressed, 1) - 1 });
  const bytes = entry.method === 8 ? packed.pipe(createInflateRaw()) : packed;
  packed.on('error', (error) => bytes.destroy(error));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > entry.size) throw new NotASheet('a part is larger than it says');
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof NotASheet ? error : new NotASheet('a part cannot be unpacked', { cause: error });
  } finally {
    packed.destroy();
    bytes.destroy();
  }
}

/** Every whole element of a name, as it passes; no more than one is held. */
async function* elements(pieces: AsyncIterable<string>, name: string): AsyncGenerator<string> {
  const begin = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])`);
  const end = new RegExp(`^[^>]*/>|</(?:\\w+:)?${name}\\s*>`);
  let kept = '';
  for await (const piece of pieces) {
    kept += piece;
    for (;;) {
      const at = kept.search(begin);
      if (at < 0) {
        kept = kept.slice(-64);
        break;
      }
      kept = kept.slice(at);
      const found = end.exec(kept);
      if (!found) break;
      const whole = kept.slice(0, found.index + found[0].length);
      kept = kept.slice(whole.length);
      yield whole;
    }
    if (kept.length > maxElement) throw new NotASheet('an element never ends');
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const character = (code: number) => (code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : '');

/** Entities of XML alone: a document that declares its own gets none of them. */
const decoded = (raw: string) =>
  raw
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`))
    .replace(/&(?:#x([0-9A-Fa-f]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex?: string, digits?: string, name?: string) => {
      if (hex) return character(Number.parseInt(hex, 16));
      return digits ? character(Number(digits)) : (named[name ?? ''] ?? whole);
    });

/** Excel writes what XML cannot hold as `_x000D_`. */
const unescaped = (text: string) => text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? decoded(found[1] ?? found[2] ?? '') : undefined;
};

/** The texts of an element put together; how they are to be read aloud is not part of them. */
const textIn = (element: string) =>
  unescaped(
    [...element.replace(/<(?:\w+:)?rPh[\s>][\s\S]*?<\/(?:\w+:)?rPh>/g, '').matchAll(/<(?:\w+:)?t(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?t>/g)]
      .map((m) => decoded(m[1] ?? ''))
      .join(''),
  );

/** A whole number as its digits; one that lost digits on its way through the spreadsheet stays in the form that says so. */
const plainNumber = (raw: string) => {
  const n = Number(raw);
  return /[eE.]/.test(raw) && Number.isSafeInteger(n) && Math.abs(n) < 1e15 ? String(n) : raw;
};

const columnOf = (reference: string | undefined, next: number) => {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1];
  if (!letters) return next;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

const cellText = (type: string | undefined, body: string, strings: readonly string[]) => {
  if (type === 'inlineStr') return textIn(body);
  const raw = decoded(/<(?:\w+:)?v(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?v>/.exec(body)?.[1] ?? '');
  if (type === 's') return strings[Number(raw)] ?? '';
  return type === undefined || type === 'n' ? plainNumber(raw) : unescaped(raw);
};

const cellsOf = (row: string, strings: readonly string[]): string[] => {
  const cells: string[] = [];
  for (const [, tag = '', body = ''] of row.matchAll(/<(?:\w+:)?c((?:\s[^>]*?)?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c\s*>)/g)) {
    const at = columnOf(attribute(tag, 'r'), cells.length);
    if (at < 0 || at >= maxColumns) continue;
    while (cells.length < at) cells.push('');
    cells[at] = cellText(attribute(tag, 't'), body, strings);
  }
  return cells;
};

const whole = async (path: string, entry: ZipEntry | undefined) => {
  if (!entry || entry.size > maxElement) throw new NotASheet('a part is missing');
  let text = '';
  for await (const piece of unpack(path, entry)) text += piece;
  return text;
};

/** The first sheet of the book, wherever its file lies. */
const firstSheet = async (path: string, entries: ReadonlyMap<string, ZipEntry>): Promise<ZipEntry> => {
  const book = await whole(path, entries.get('xl/workbook.xml'));
  const relations = await whole(path, entries.get('xl/_rels/workbook.xml.rels'));
  const id = attribute(/<(?:\w+:)?sheet\s[^>]*>/.exec(book)?.[0] ?? '', 'id');
  const relation = [...relations.matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)].find(([tag]) => attribute(tag, 'Id') === id)?.[0];
  const target = attribute(relation ?? '', 'Target') ?? '';
  const entry = entries.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  if (!entry) throw new NotASheet('the book has no sheet');
  return entry;
};

const sharedStrings = async (path: string, entry: ZipEntry | undefined): Promise<string[]> => {
  const strings: string[] = [];
  if (!entry) return strings;
  for await (const element of elements(unpack(path, entry), 'si')) {
    if (strings.length === maxStrings) throw new NotASheet('too many texts');
    strings.push(textIn(element));
  }
  return strings;
};

async function* xlsxRows(path: string): AsyncGenerator<SheetRow> {
  const entries = new Map((await readZipDirectory(path))?.map((entry) => [entry.name, entry]));
  const sheet = await firstSheet(path, entries);
  const strings = await sharedStrings(path, entries.get('xl/sharedStrings.xml'));
  let line = 0;
  for await (const row of elements(unpack(path, sheet), 'row')) {
    line = Number(attribute(/^<[^>]*>/.exec(row)?.[0] ?? '', 'r') ?? line + 1);
    yield { line, cells: cellsOf(row, strings) };
  }
}

/** UTF-8, or what Excel on a Chinese system saves. */
const csvText = (bytes: Buffer): string => {
  for (const encoding of ['utf-8', 'gb18030'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The other one, then.
    }
  throw new NotASheet('no text');
};

/** A text that we kept from being run as a formula is itself again. */
const plain = (cell: string) => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell);

const separatorOf = (text: string) => {
  const [first = ''] = text.split(/\r?\n/, 1);
  return [',', '\t', ';'].reduce((best, c) => (first.split(c).length > first.split(best).length ? c : best));
};

function* csvRows(text: string): Generator<SheetRow> {
  const separator = separatorOf(text);
  let [cells, cell, line, start, quoted]: [string[], string, number, number, boolean] = [[], '', 1, 1, false];
  const endCell = () => {
    if (cells.length < maxColumns) cells.push(plain(cell));
    cell = '';
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\n') line++;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') {
        cell += '"';
        i++;
      } else quoted = false;
    } else if (c === '"' && cell === '') quoted = true;
    else if (c === separator) endCell();
    else if (c === '\n') {
      endCell();
      yield { line: start, cells };
      [cells, start] = [[], line];
    } else if (c !== '\r') cell += c;
  }
  if (quoted) throw new NotASheet('a quote never ends');
  endCell();
  if (cells.some((value) => value !== '')) yield { line: start, cells };
}

/** The rows of a table that somebody sent, one by one; those without any text are left out. Throws `NotASheet`. */
export async function* readSheet(path: string, extension: string): AsyncGenerator<SheetRow> {
  const rows = extension === 'xlsx' ? xlsxRows(path) : csvRows(csvText(await readFile(path)));
  for await (const row of rows) if (row.cells.some((cell) => cell.trim() !== '')) yield row;
}
