import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { openSemaphore } from '../semaphore.ts';
import type { Cell } from './cell.ts';
import { csv } from './csv.ts';
import { readSheet } from './read-sheet.ts';
import { NotASheet, type SheetRow, SheetTooLarge } from './sheet.ts';
import { xlsx } from './xlsx.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-sheet-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'file');
const rows = async (extension: string): Promise<SheetRow[]> => {
  const found: SheetRow[] = [];
  for await (const row of readSheet(path, extension)) found.push(row);
  return found;
};
const inCsv = async (content: string | Buffer) => {
  await writeFile(path, content);
  return rows('csv');
};
async function* batches(...all: Cell[][][]) {
  yield* all;
}

const book = '<workbook xmlns:r="r"><sheets><sheet name="一" sheetId="1" r:id="rId7"/><sheet name="二" r:id="rId8"/></sheets></workbook>';
const relations =
  '<Relationships><Relationship Id="rId8" Target="worksheets/other.xml"/><Relationship Id="rId7" Target="worksheets/data.xml"/></Relationships>';

/** A workbook built from parts, as other programs write it. */
const pack = async (parts: Record<string, string>) => {
  const zip = new ZipFile();
  const whole = { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': book, 'xl/_rels/workbook.xml.rels': relations, ...parts };
  for (const [name, content] of Object.entries(whole)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
};
const inBook = async (parts: Record<string, string>) => {
  await writeFile(path, await pack(parts));
  return rows('xlsx');
};
const sheet = (body: string) => ({ 'xl/worksheets/data.xml': `<worksheet><sheetData>${body}</sheetData></worksheet>` });

test('a file that we wrote as XLSX or CSV is read back unchanged', async () => {
  const header = ['账号', 'Remark', 'n'];
  const table: Cell[][] = [
    ['crew_01', '中文 & <tag> "quoted", comma', 7],
    ['x', '+86 139', 0],
    ['_x0041_', 'two\nlines', -3],
  ];
  const expected = [header, ...table.map((row) => row.map(String))];
  await writeFile(path, xlsx(header, batches(table)));
  expect((await rows('xlsx')).map((r) => r.cells)).toEqual(expected);
  await writeFile(path, csv(header, batches(table)));
  expect((await rows('csv')).map((r) => r.cells)).toEqual(expected);
});

test('a workbook of another program is read: rich text, gaps, numbers, XML prefixes, first sheet under any file name', async () => {
  const found = await inBook({
    'xl/sharedStrings.xml':
      '<sst><si><t>账号</t></si><si><r><t xml:space="preserve">a </t></r><r><t>&amp;b</t></r><rPh sb="0"><t>念</t></rPh></si></sst>',
    'xl/worksheets/data.xml':
      '<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="s"><x:v>1</x:v></x:c></x:row>' +
      '<x:row r="2"/><x:row r="5"><x:c r="B5"><x:v>1.38E10</x:v></x:c><x:c r="C5"><x:v>110105194912310025</x:v></x:c>' +
      '<x:c r="D5"><x:v>1.10105194912310E17</x:v></x:c><x:c r="E5" t="b"><x:v>1</x:v></x:c><x:c r="F5" t="inlineStr"><x:is><x:t>in</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>',
    'xl/worksheets/other.xml': '<worksheet><sheetData><row><c><v>wrong</v></c></row></sheetData></worksheet>',
  });
  expect(found).toEqual([
    { line: 1, cells: ['账号', '', 'a &b'] },
    // A number that lost digits keeps its exponent form.
    { line: 5, cells: ['', '13800000000', '110105194912310025', '1.10105194912310E17', '1', 'in'] },
  ]);
});

test('CSV is read with a BOM, in GB18030, with tabs and multi-line quotes, and keeps its line numbers', async () => {
  expect(await inCsv('\ufeffa,b\r\n\r\n"x\r\ny","say ""hi"""\r\nz\r\n')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['x\r\ny', 'say "hi"'] },
    { line: 5, cells: ['z'] },
  ]);
  const gb = Buffer.from([0xd5, 0xcb, 0xba, 0xc5, 0x2c, 0xd0, 0xd5, 0xc3, 0xfb]);
  expect(await inCsv(gb)).toEqual([{ line: 1, cells: ['账号', '姓名'] }]);
  expect(await inCsv('a\tb, c\td\n1\t2\t3')).toEqual([
    { line: 1, cells: ['a', 'b, c', 'd'] },
    { line: 2, cells: ['1', '2', '3'] },
  ]);
  await expect(inCsv('a,"b')).rejects.toThrow(NotASheet);
  await expect(inCsv(Buffer.from([0xff, 0xff, 0x81]))).rejects.toThrow(NotASheet);
});

test('characters of XML are resolved; a document that declares entities, or is not well-formed, is refused', async () => {
  const body = '<row r="1"><c t="inlineStr"><is><t>&#x4e2d;&#65;&quot;<![CDATA[<b>&amp;]]></t></is></c></row>';
  expect((await inBook(sheet(body)))[0]?.cells).toEqual(['中A"<b>&amp;']);
  const doctype = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>';
  const declared = `${doctype}<worksheet><sheetData><row><c t="inlineStr"><is><t>&lol2;</t></is></c></row></sheetData></worksheet>`;
  await expect(inBook({ 'xl/worksheets/data.xml': declared })).rejects.toThrow(NotASheet);
  for (const bad of ['<row><c></row>', '<row r="1" r="2"/>', '<row>&nbsp;</row>', '<row'])
    await expect(inBook(sheet(bad))).rejects.toThrow(NotASheet);
});

test('a part that unpacks to more than its declared size is not read to its end', async () => {
  const bytes = await pack(sheet(`<row r="1"><c><v>${'9'.repeat(400_000)}</v></c></row>`));
  const at = bytes.lastIndexOf(Buffer.from('xl/worksheets/data.xml')) - 46;
  // The directory claims a small size; the compressed data is larger.
  bytes.writeUInt32LE(1000, at + 24);
  await writeFile(path, bytes);
  await expect(rows('xlsx')).rejects.toThrow(NotASheet);
});

test('a zip bomb is refused', async () => {
  await writeFile(path, await pack(sheet(`<row r="1"><c><v>${'0'.repeat(20 * 1024 * 1024)}</v></c></row>`)));
  await expect(rows('xlsx')).rejects.toThrow(NotASheet);
});

test('an unterminated row, a workbook without its sheet and a file that is no workbook are refused', async () => {
  await expect(inBook(sheet(`<row r="1"><c t="inlineStr"><is><t>${'x7'.repeat(1_000_000)}`))).rejects.toThrow(NotASheet);
  await expect(inBook({})).rejects.toThrow(NotASheet);
  await writeFile(path, 'PK nothing');
  await expect(rows('xlsx')).rejects.toThrow(NotASheet);
});

test('a column beyond the limit of our sheets is left out', async () => {
  expect(await inBook(sheet('<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'))).toEqual([{ line: 1, cells: ['1'] }]);
});

test('a workbook beyond the limits of a cell, a row or a sheet is refused with the reason', async () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  await expect(inBook(sheet(`<row>${cell('x'.repeat(32_768))}</row>`))).rejects.toThrow('A cell cannot exceed 32767 characters');
  // Several texts of one cell count together.
  const long = '<t>1234567890abcdef</t>'.repeat(2100);
  await expect(inBook(sheet(`<row><c t="inlineStr"><is>${long}</is></c></row>`))).rejects.toThrow('A cell cannot exceed');
  await expect(inBook(sheet(`<row r="7">${cell(randomBytes(15_000).toString('hex')).repeat(40)}</row>`))).rejects.toThrow(
    'Line 7 is too long',
  );
  const numbers = Array.from({ length: 200_001 }, (_, i) => `<row><c><v>${(i * 7919) % 100_003}</v></c></row>`);
  await expect(inBook(sheet(numbers.join('')))).rejects.toThrow('The file has more than 200000 lines');
});

/** Longest CPU time without a pause for other work, and the whole CPU time, in milliseconds. */
const stretches = async (work: () => Promise<unknown>) => {
  const startCpu = process.cpuUsage();
  let longest = 0;
  let running = true;
  let last = startCpu;
  const tick = () => {
    const { user } = process.cpuUsage(last);
    longest = Math.max(longest, user / 1000);
    last = process.cpuUsage();
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  running = false;
  return { longest, whole: process.cpuUsage(startCpu).user / 1000 };
};

const bytes = 19 * 1024 * 1024;
test.each([
  ['one cell', Buffer.alloc(bytes, 'x'), 'A cell cannot exceed'],
  ['one quoted cell', Buffer.alloc(bytes, '"x').fill('"', 0, 1), 'A cell cannot exceed'],
  ['one line of separators', Buffer.alloc(bytes, ','), 'Line 1 is too long'],
  ['line breaks', Buffer.alloc(bytes, '\n'), 'The file has more than 200000 lines'],
  ['carriage returns', Buffer.alloc(bytes, '\r'), 'Line 1 is too long'],
  ['quotes', Buffer.alloc(bytes, '"'), 'A cell cannot exceed'],
])('19 MB of %s do not block other work', async (_, content, refusal) => {
  await writeFile(path, content);
  const { longest, whole } = await stretches(() => expect(rows('csv')).rejects.toThrow(refusal));
  // Work without pauses would be one stretch. A slow machine makes both figures longer.
  expect(longest).toBeLessThan(Math.max(400, whole / 2));
});

test('a CSV is the same for any division into chunks', async () => {
  const line = (n: number) => `账号${n},"say ""hi"", ${n}",'=x\r\n`;
  const text = Array.from({ length: 20_000 }, (_, i) => line(i)).join('');
  const found = await inCsv(text);
  expect(found).toHaveLength(20_000);
  expect(found.every(({ line, cells }, i) => line === i + 1 && cells.join('|') === `账号${i}|say "hi", ${i}|=x`)).toBe(true);
});

test('a refused file reports it, and frees its slot for the next file', async () => {
  for (let i = 0; i < 5; i++) await expect(inCsv(Buffer.alloc(100_000, 'x'))).rejects.toThrow(SheetTooLarge);
  expect(await inCsv('a,b')).toHaveLength(1);
});

test('slots limit concurrent work, and waiting work gets them in FIFO order', async () => {
  const slots = openSemaphore(2);
  const [first] = await Promise.all([slots.acquire(), slots.acquire()]);
  const order: number[] = [];
  const waiting = [1, 2].map(async (n) => {
    const release = await slots.acquire();
    order.push(n);
    release();
  });
  expect(order).toEqual([]);
  first();
  first();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2]);
});
