import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readZipDirectory } from './zip-directory.ts';

/** Looks into a file and tells whether it is what its extension says. */
type Sniffer = (path: string) => Promise<boolean>;

/** Beyond this a picture of a few kilobytes unpacks into the memory of whoever shows it. */
const maxSide = 16_384;
const maxPixels = 64 * 1024 * 1024;

const sane = (width: number, height: number) =>
  width > 0 && height > 0 && width <= maxSide && height <= maxSide && width * height <= maxPixels;

const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const isPng: Sniffer = async (path) => {
  const bytes = await readFile(path);
  const framed = bytes.subarray(0, 8).equals(pngMark) && bytes.length >= 33 && bytes.toString('latin1', 12, 16) === 'IHDR';
  return framed && sane(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
};

/** Frames that carry the size: C0-CF without the tables C4, C8 and CC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const isJpeg: Sniffer = async (path) => {
  const bytes = await readFile(path);
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return sane(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
};

const isZip: Sniffer = async (path) => (await readZipDirectory(path)) !== undefined;

const isXlsx: Sniffer = async (path) => {
  const names = (await readZipDirectory(path))?.map((entry) => entry.name);
  return names !== undefined && ['[Content_Types].xml', 'xl/workbook.xml'].every((name) => names.includes(name));
};

const parses = async (work: () => unknown) => {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
};

const isCertificate: Sniffer = (path) => parses(async () => new X509Certificate(await readFile(path)));

const isPrivateKey: Sniffer = (path) => parses(async () => createPrivateKey(await readFile(path)));

const decodes = (path: string, encoding: 'utf-8' | 'gbk') =>
  parses(async () => {
    const decoder = new TextDecoder(encoding, { fatal: true });
    for await (const chunk of createReadStream(path)) {
      if (chunk.includes(0)) throw new Error('binary');
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
  });

/** Excel on a Chinese system saves CSV as GBK. */
const isCsv: Sniffer = async (path) => (await decodes(path, 'utf-8')) || (await decodes(path, 'gbk'));

export const sniffers: Readonly<Record<string, Sniffer>> = {
  jpg: isJpeg,
  jpeg: isJpeg,
  png: isPng,
  zip: isZip,
  xlsx: isXlsx,
  csv: isCsv,
  crt: isCertificate,
  key: isPrivateKey,
  '': isPrivateKey,
};
