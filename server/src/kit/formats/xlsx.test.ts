import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseXml, unzip, type XmlNode } from '../../../test/setup/unzip.ts';
import type { Cell } from './cell.ts';
import { readZipDirectory } from './read-zip.ts';
import { sheetRows, xlsx } from './xlsx.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-xlsx-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* inBatches(...batches: Cell[][][]) {
  yield* batches;
}
const path = join(folder, 'a.xlsx');
const written = async (header: string[], batches: Cell[][][], perSheet?: number) => {
  await writeFile(path, xlsx(header, inBatches(...batches), perSheet));
  return Object.fromEntries(Object.entries(unzip(path)).map(([name, content]) => [name, parseXml(content)]));
};
const find = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node ? [...(node.name === name ? [node] : []), ...node.children.flatMap((child) => find(child, name))] : [];
const cellsOf = (sheet: XmlNode | undefined) =>
  find(sheet, 'row').map((row) =>
    row.children.map((c) => [c.attributes.r, c.attributes.t ?? 'n', c.attributes.s ?? '0', find(c, c.attributes.t ? 't' : 'v')[0]?.text]),
  );

test('a workbook names every part that it holds, and every part is well-formed', async () => {
  const parts = await written(['名称', '数量'], [[['网关', 3]], [['b', 4]]]);
  expect(Object.keys(parts).toSorted()).toEqual(
    [
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ].toSorted(),
  );
  const declared = find(parts['[Content_Types].xml'], 'Override').map((o) => o.attributes.PartName?.slice(1));
  expect(declared.every((name) => name && parts[name])).toBe(true);
  const targets = find(parts['xl/_rels/workbook.xml.rels'], 'Relationship').map((r) => [r.attributes.Id, r.attributes.Target]);
  expect(targets).toEqual([
    ['rId1', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
  ]);
  expect(find(parts['xl/workbook.xml'], 'sheet').map((s) => s.attributes)).toEqual([{ name: 'Sheet1', sheetId: '1', 'r:id': 'rId1' }]);
  expect((await readZipDirectory(path))?.map((e) => e.fileName)).toContain('[Content_Types].xml');
});

test('the header is bold and frozen, text is text and numbers are numbers', async () => {
  const sheet = (
    await written(
      ['名称', '数量', '金额'],
      [
        [
          ['网关', -3, { decimal: '-12.50' }],
          ['', 0, ''],
        ],
      ],
    )
  )['xl/worksheets/sheet1.xml'];
  expect(cellsOf(sheet)).toEqual([
    [
      ['A1', 'inlineStr', '1', '名称'],
      ['B1', 'inlineStr', '1', '数量'],
      ['C1', 'inlineStr', '1', '金额'],
    ],
    [
      ['A2', 'inlineStr', '0', '网关'],
      ['B2', 'n', '0', '-3'],
      ['C2', 'n', '2', '-12.50'],
    ],
    [['B3', 'n', '0', '0']],
  ]);
  expect(find(sheet, 'pane')[0]?.attributes).toMatchObject({ ySplit: '1', topLeftCell: 'A2', state: 'frozen' });
  const styles = parseXml(unzip(path)['xl/styles.xml'] ?? '');
  const bold = find(styles, 'cellXfs')[0]?.children[1]?.attributes.fontId;
  expect(find(find(styles, 'fonts')[0]?.children[Number(bold)], 'b')).toHaveLength(1);
});

test('control characters are removed, lone surrogates replaced, and markup and escape sequences escaped', async () => {
  const texts = ['a\u0000b\u0007c\u001fd', '<b> & "q" \'s\'', 'x\ud800y', '🛰', '_x0041_', ' two  spaces ', 'line\nbreak', '=1+1', '-x'];
  const sheet = (await written(['t'], [texts.map((t) => [t])]))['xl/worksheets/sheet1.xml'];
  const shown = cellsOf(sheet)
    .slice(1)
    .map(([cell]) => [cell?.[2], cell?.[3]]);
  expect(shown).toEqual([
    ['0', 'abcd'],
    ['0', '<b> & "q" \'s\''],
    ['0', 'x\ufffdy'],
    ['0', '🛰'],
    ['0', '_x005F_x0041_'],
    ['0', ' two  spaces '],
    ['0', 'line\nbreak'],
    ['3', '=1+1'],
    ['3', '-x'],
  ]);
});

test('a number too large for Excel becomes text, and a text too long for a cell is cut', async () => {
  const sheet = (await written(['t'], [[[Number.MAX_SAFE_INTEGER], [{ decimal: '1234567890123456.78' }], ['字'.repeat(40_000)]]]))[
    'xl/worksheets/sheet1.xml'
  ];
  const [, big, decimal, long] = cellsOf(sheet);
  expect(big?.[0]).toEqual(['A2', 'inlineStr', '0', '9007199254740991']);
  expect(decimal?.[0]).toEqual(['A3', 'inlineStr', '0', '1234567890123456.78']);
  expect(long?.[0]?.[3]).toHaveLength(32_767);
});

test('columns beyond Z are named as Excel names them', async () => {
  const header = Array.from({ length: 704 }, (_, i) => String(i));
  const sheet = (await written(header, [[header]]))['xl/worksheets/sheet1.xml'];
  const names = cellsOf(sheet)[0]?.map((c) => c[0]);
  expect([names?.[25], names?.[26], names?.[51], names?.[52], names?.[701], names?.[702]]).toEqual([
    'Z1',
    'AA1',
    'AZ1',
    'BA1',
    'ZZ1',
    'AAA1',
  ]);
});

test('a full sheet is followed by another with a header', async () => {
  expect(sheetRows).toBe(1_048_575);
  const rows = Array.from({ length: 7 }, (_, i): Cell[] => [i]);
  const parts = await written(['n'], [rows.slice(0, 5), [], rows.slice(5)], 3);
  const sheets = [1, 2, 3].map((n) =>
    cellsOf(parts[`xl/worksheets/sheet${n}.xml`])
      .flat()
      .map((c) => c[3]),
  );
  expect(sheets).toEqual([
    ['n', '0', '1', '2'],
    ['n', '3', '4', '5'],
    ['n', '6'],
  ]);
  expect(find(parts['xl/workbook.xml'], 'sheet')).toHaveLength(3);
  expect(parts['xl/worksheets/sheet4.xml']).toBeUndefined();
});

test('an exactly full last sheet is not followed by an empty one', async () => {
  const parts = await written(
    ['n'],
    [
      [[1], [2]],
      [[3], [4]],
    ],
    2,
  );
  expect(Object.keys(parts).filter((name) => name.includes('sheet'))).toHaveLength(2);
});

test('a workbook without rows still opens', async () => {
  const parts = await written(['n'], []);
  expect(cellsOf(parts['xl/worksheets/sheet1.xml'])).toHaveLength(1);
});

test('an error of the source is passed on to the writer of the file', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [[1]];
    throw new Error('the cursor broke');
  }
  await expect(writeFile(path, xlsx(['n'], failing()))).rejects.toThrow('the cursor broke');
});
