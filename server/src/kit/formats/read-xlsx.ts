import type { Entry } from 'yauzl';
import { type Attributes, parseXml, type XmlHandler } from './read-xml.ts';
import { type OpenZip, openZip } from './read-zip.ts';
import { NotASheet, type SheetRow, sheetLimits, tooLarge } from './sheet.ts';

const maxEntryBytes = 64 * 1024 * 1024;
const maxHead = 1024 * 1024;
const maxStrings = 500_000;
const maxStringChars = 32 * 1024 * 1024;

const none = () => {};

const entryOf = (entry: Entry | undefined, maxBytes: number): Entry => {
  if (!entry) throw new NotASheet('a part is missing');
  if (entry.uncompressedSize > maxBytes) throw tooLarge.unpacked();
  return entry;
};

const parseEntry = async (zip: OpenZip, entry: Entry, handler: XmlHandler) => {
  for await (const _ of parseXml(await zip.read(entry), handler));
};

/** Excel writes characters that XML does not allow as `_x000D_`. */
const unescaped = (text: string) => text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** An integer as plain digits. A number that lost digits in the spreadsheet keeps its exponent form. */
const plainNumber = (raw: string) => {
  const n = Number(raw);
  return /[eE.]/.test(raw) && Number.isSafeInteger(n) && Math.abs(n) < 1e15 ? String(n) : raw;
};

const columnOf = (reference: string | undefined, next: number) => {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1];
  if (!letters) return next;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

/** Collects element texts, cut at the cell limit. */
class Text {
  #texts: string[] = [];
  #length = 0;
  add(text: string) {
    this.#length += text.length;
    if (this.#length > sheetLimits.cell) throw tooLarge.cell();
    this.#texts.push(text);
  }
  take(): string {
    const whole = this.#texts.join('');
    this.#texts = [];
    this.#length = 0;
    return whole;
  }
}

/** First sheet of the workbook, at any file name. */
const firstSheet = async (zip: OpenZip): Promise<Entry> => {
  let id: string | undefined;
  const targets = new Map<string, string>();
  await parseEntry(zip, entryOf(zip.entries.get('xl/workbook.xml'), maxHead), {
    open: (name, attributes) => {
      if (name === 'sheet') id ??= attributes.id;
    },
    close: none,
    text: none,
  });
  await parseEntry(zip, entryOf(zip.entries.get('xl/_rels/workbook.xml.rels'), maxHead), {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, Target);
    },
    close: none,
    text: none,
  });
  const target = targets.get(id ?? '') ?? '';
  return entryOf(zip.entries.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`), maxEntryBytes);
};

const sharedStrings = async (zip: OpenZip): Promise<string[]> => {
  const entry = zip.entries.get('xl/sharedStrings.xml');
  const strings: string[] = [];
  if (!entry) return strings;
  const text = new Text();
  let inText = false;
  let inPhonetic = false;
  let chars = 0;
  await parseEntry(zip, entryOf(entry, maxEntryBytes), {
    open: (name) => {
      if (name === 'rPh') inPhonetic = true;
      inText = name === 't' && !inPhonetic;
    },
    close: (name) => {
      inText = false;
      if (name === 'rPh') inPhonetic = false;
      if (name !== 'si') return;
      const whole = unescaped(text.take());
      chars += whole.length;
      if (strings.length === maxStrings || chars > maxStringChars) throw tooLarge.unpacked();
      strings.push(whole);
    },
    text: (piece) => {
      if (inText) text.add(piece);
    },
  });
  return strings;
};

/** Converts the elements of a sheet to rows. */
class SheetHandler implements XmlHandler {
  readonly #strings: readonly string[];
  readonly #text = new Text();
  #rows: SheetRow[] = [];
  #line = 0;
  #count = 0;
  #cells: string[] = [];
  #chars = 0;
  #column = 0;
  #type: string | undefined;
  #collects = false;
  #inPhonetic = false;

  constructor(strings: readonly string[]) {
    this.#strings = strings;
  }

  takeRows(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, { r, t }: Attributes) {
    if (name === 'row') {
      if (++this.#count > sheetLimits.rows) throw tooLarge.rows();
      this.#line = Number(r ?? this.#line + 1);
      this.#cells = [];
      this.#chars = 0;
    } else if (name === 'c') {
      this.#column = columnOf(r, this.#cells.length);
      this.#type = t;
    } else if (name === 'rPh') this.#inPhonetic = true;
    this.#collects = (name === 'v' && this.#type !== 'inlineStr') || (name === 't' && this.#type === 'inlineStr' && !this.#inPhonetic);
  }

  text(text: string) {
    if (this.#collects) this.#text.add(text);
  }

  close(name: string) {
    this.#collects = false;
    if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#rows.push({ line: this.#line, cells: this.#cells });
  }

  #endCell() {
    const raw = this.#text.take();
    if (this.#column >= sheetLimits.columns) return;
    const cell = this.#value(raw);
    this.#chars += cell.length;
    if (this.#chars > sheetLimits.row) throw tooLarge.row(this.#line);
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = cell;
  }

  #value(raw: string): string {
    if (this.#type === 's') return this.#strings[Number(raw)] ?? '';
    return this.#type === undefined || this.#type === 'n' ? plainNumber(raw) : unescaped(raw);
  }
}

export async function* xlsxRows(path: string): AsyncGenerator<readonly SheetRow[]> {
  const zip = await openZip(path);
  if (!zip) throw new NotASheet('no workbook');
  try {
    const sheet = await firstSheet(zip);
    const handler = new SheetHandler(await sharedStrings(zip));
    for await (const _ of parseXml(await zip.read(sheet), handler)) yield handler.takeRows();
  } finally {
    zip.close();
  }
}
