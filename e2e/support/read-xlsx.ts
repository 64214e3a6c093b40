import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const centralDirectory = Buffer.from([0x50, 0x4b, 5, 6]);

/** One file of a ZIP archive, found by its central directory. */
const entryOf = (zip: Buffer, entryPath: string): string => {
  let at = zip.readUInt32LE(zip.lastIndexOf(centralDirectory) + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const name = zip.readUInt16LE(at + 28);
    const extra = zip.readUInt16LE(at + 30);
    const comment = zip.readUInt16LE(at + 32);
    if (zip.toString('utf8', at + 46, at + 46 + name) === entryPath) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : data).toString('utf8');
    }
    at += 46 + name + extra + comment;
  }
  throw new Error(`${entryPath} is not in the file`);
};

const plain = (xml: string) => xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The first sheet of a workbook, row by row. */
export const readXlsx = (path: string): string[][] => {
  const sheet = entryOf(readFileSync(path), 'xl/worksheets/sheet1.xml');
  return [...sheet.matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell = '']) => plain(cell.replace(/<[^>]+>/g, ''))),
  );
};
