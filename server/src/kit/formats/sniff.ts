import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readZipDirectory } from './read-zip.ts';

/** Checks that the content of a file matches its extension. */
type Sniffer = (path: string) => Promise<boolean>;

/** Limits of an image: a file of a few kilobytes could otherwise decompress to gigabytes in the viewer. */
const maxSide = 16_384;
const maxPixels = 64 * 1024 * 1024;

const sane = (width: number, height: number) =>
  width > 0 && height > 0 && width <= maxSide && height <= maxSide && width * height <= maxPixels;

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const isPng: Sniffer = async (path) => {
  const bytes = await readFile(path);
  const framed = bytes.subarray(0, 8).equals(pngSignature) && bytes.length >= 33 && bytes.toString('latin1', 12, 16) === 'IHDR';
  return framed && sane(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
};

/** Frames that contain the size: C0-CF without the tables C4, C8 and CC. */
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
  const names = (await readZipDirectory(path))?.map((entry) => entry.fileName);
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

const tarBlock = 512;

const beginningOf = async (path: string, length: number): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** The checksum of a tar header is the sum of its bytes, with the checksum field read as spaces. */
const isTarHeader = (block: Buffer) => {
  if (block.length < tarBlock) return false;
  const written = Number.parseInt(block.toString('latin1', 148, 156).replace(/[\0 ]+$/, ''), 8);
  const sum = block.subarray(0, tarBlock).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  return written === sum;
};

/** Decompresses only the first block, regardless of the rest. */
const isTarGz: Sniffer = async (path) => {
  const found: Buffer[] = [];
  const readBlock = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      found.push(chunk);
      if (found.reduce((n, chunk) => n + chunk.length, 0) >= tarBlock) return;
    }
  };
  try {
    await pipeline(createReadStream(path, { highWaterMark: 16_384 }), createGunzip({ chunkSize: 1024 }), readBlock);
  } catch {
    // Not gzip or truncated: the bytes read so far decide.
  }
  return isTarHeader(Buffer.concat(found));
};

/** Signatures of other file types: pictures, documents, archives and programs. */
const otherKinds = ['89504e47', 'ffd8ff', '47494638', '25504446', '504b0304', '4d5a', '52617221', '377abcaf271c', 'd0cf11e0', '2321'];

/** Firmware images have no common signature. They are binary and none of the known other types. */
const isImage: Sniffer = async (path) => {
  const head = await beginningOf(path, 4096);
  const hex = head.toString('hex', 0, 8);
  return head.includes(0) && !otherKinds.some((kind) => hex.startsWith(kind));
};

export const sniffers: Readonly<Record<string, Sniffer>> = {
  jpg: isJpeg,
  jpeg: isJpeg,
  png: isPng,
  zip: isZip,
  gz: isTarGz,
  tgz: isTarGz,
  bin: isImage,
  img: isImage,
  xlsx: isXlsx,
  csv: isCsv,
  crt: isCertificate,
  key: isPrivateKey,
  '': isPrivateKey,
};
