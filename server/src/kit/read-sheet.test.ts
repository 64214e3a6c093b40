import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { Cell } from './cell.ts';
import { csv } from './csv.ts';
import { NotASheet, readSheet, type SheetRow } from './read-sheet.ts';
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

/** A workbook of parts as another program writes them. */
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

test('what we write is what we read, as XLSX and as CSV', async () => {
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

test('a book of another program is read: shared texts in pieces, gaps, numbers, prefixes, the first sheet wherever it lies', async () => {
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
    // A number that lost its digits stays in the form that shows it.
    { line: 5, cells: ['', '13800000000', '110105194912310025', '1.10105194912310E17', '1', 'in'] },
  ]);
});

test('CSV comes with a mark, in GB18030, with tabs, with quotes over lines, and keeps its line numbers', async () => {
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

test('entities that a document declares are not expanded, characters of XML are', async () => {
  const doctype = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>';
  const body = '<row r="1"><c t="inlineStr"><is><t>&lol2;&#x4e2d;&#65;&quot;<![CDATA[<b>&amp;]]></t></is></c></row>';
  const found = await inBook({ 'xl/worksheets/data.xml': `${doctype}<worksheet><sheetData>${body}</sheetData></worksheet>` });
  expect(found[0]?.cells).toEqual(['&lol2;中A"<b>&amp;']);
});

test('a part that unpacks to more than it says is not read to its end', async () => {
  const bytes = await pack(sheet(`<row r="1"><c><v>${'9'.repeat(400_000)}</v></c></row>`));
  const at = bytes.lastIndexOf(Buffer.from('xl/worksheets/data.xml')) - 46;
  // The directory says that it is small; the packed bytes know better.
  bytes.writeUInt32LE(1000, at + 24);
  await writeFile(path, bytes);
  await expect(rows('xlsx')).rejects.toThrow(NotASheet);
});

test('a bomb is refused before it is opened', async () => {
  await writeFile(path, await pack(sheet(`<row r="1"><c><v>${'0'.repeat(20 * 1024 * 1024)}</v></c></row>`)));
  await expect(rows('xlsx')).rejects.toThrow(NotASheet);
});

test('a row that never ends, a book without its sheet and no book at all are refused', async () => {
  await expect(inBook(sheet(`<row r="1"><c t="inlineStr"><is><t>${'x7'.repeat(1_000_000)}`))).rejects.toThrow(NotASheet);
  await expect(inBook({})).rejects.toThrow(NotASheet);
  await writeFile(path, 'PK nothing');
  await expect(rows('xlsx')).rejects.toThrow(NotASheet);
});

test('a column beyond any sheet of ours is left out, not allocated', async () => {
  expect(await inBook(sheet('<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'))).toEqual([{ line: 1, cells: ['1'] }]);
});
