import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Random } from '@farlink/contract/kit/random.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { fuzzSeed, mutated } from '../../../test/setup/fuzz.ts';
import { makeTarGz } from './make-tar.ts';
import { readSheet } from './read-sheet.ts';
import { NotASheet } from './sheet.ts';
import { sniffers } from './sniff.ts';
import { xlsx } from './xlsx.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'file');

async function* rows() {
  yield [
    ['crew_01', '中文 & <tag>', 7],
    ['crew_02', '', -1],
  ];
}
const zipOf = (contents: Record<string, string>) => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(contents)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
};
const sheetXml = '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1.5</v></c></row></sheetData></worksheet>';
/** Stored without compression, so that mutations reach the XML. */
const plainBook = () => {
  const zip = new ZipFile();
  const add = (name: string, content: string) => zip.addBuffer(Buffer.from(content), name, { compress: false });
  add('[Content_Types].xml', '<Types/>');
  add('xl/workbook.xml', '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>');
  add('xl/_rels/workbook.xml.rels', '<Relationships><Relationship Id="r1" Target="worksheets/a.xml"/></Relationships>');
  add('xl/sharedStrings.xml', '<sst><si><t>账号 &amp; x</t></si></sst>');
  add('xl/worksheets/a.xml', sheetXml);
  zip.end();
  return buffer(zip.outputStream);
};

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000be0000003c0806000000', 'hex');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108003c00be03012200021101031101', 'hex');
const corpora: Readonly<Record<string, () => Promise<readonly Buffer[]>>> = {
  zip: async () => [await zipOf({ 'index.html': '<h1>hi</h1>', 'img/a.png': 'x'.repeat(500) })],
  xlsx: async () => [await buffer(Readable.from(xlsx(['账号', 'b', 'n'], rows()))), await plainBook()],
  csv: async () => [
    Buffer.from('\ufeffa,"b ""q"""\r\n1,2\r\n'),
    Buffer.from('d5cbbac52cd0d5c3fb0d0a', 'hex'),
    Buffer.from('a\tb\n"x\ny"\tz'),
  ],
  png: async () => [png],
  jpg: async () => [jpeg],
  gz: async () => [makeTarGz({ version: '1', 'rootfs.img': Buffer.alloc(3000, 7) })],
  bin: async () => [Buffer.from('27051956000000000000', 'hex')],
  crt: async () => [Buffer.from('-----BEGIN CERTIFICATE-----\nMIIBAAAA\n-----END CERTIFICATE-----\n')],
  key: async () => [Buffer.from('-----BEGIN PRIVATE KEY-----\nMIIBAAAA\n-----END PRIVATE KEY-----\n')],
};
const times = 150;

const countRows = async (extension: string) => {
  let count = 0;
  for await (const _ of readSheet(path, extension)) count++;
  return count;
};

const readAll = async (extension: string) => {
  try {
    for await (const row of readSheet(path, extension)) expect(row.cells.length).toBeLessThanOrEqual(256);
  } catch (error) {
    if (!(error instanceof NotASheet)) throw error;
  }
};

describe(`damaged files, seed ${fuzzSeed}`, () => {
  test.each(Object.keys(corpora))(
    'a .%s file is accepted or refused, without another error',
    async (extension) => {
      const random = new Random(fuzzSeed);
      const seeds = (await corpora[extension]?.()) ?? [];
      for (let i = 0; i < times; i++) {
        const bytes = mutated(random.pick(seeds), random);
        await writeFile(path, bytes);
        try {
          expect(typeof (await sniffers[extension]?.(path))).toBe('boolean');
          if (extension === 'xlsx' || extension === 'csv') await readAll(extension);
        } catch (error) {
          throw new Error(`${extension} ${bytes.toString('base64')}`, { cause: error });
        }
      }
    },
    60_000,
  );

  test('the undamaged files are still read', async () => {
    for (const extension of ['xlsx', 'csv'])
      for (const seed of (await corpora[extension]?.()) ?? []) {
        await writeFile(path, seed);
        expect(await sniffers[extension]?.(path), extension).toBe(true);
        expect(await countRows(extension)).toBeGreaterThan(0);
      }
  });
});
