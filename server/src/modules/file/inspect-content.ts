import { open } from 'node:fs/promises';
import type { FileType } from '@farlink/contract/file/choices.ts';
import { extensionOf, fileKinds } from '@farlink/contract/file/file-kinds.ts';
import { fail } from '../../kit/fail.ts';
import { readZipDirectory } from '../../kit/formats/read-zip.ts';
import { sniffers } from '../../kit/formats/sniff.ts';

const readHead = async (path: string) => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

type Inspect = (path: string, head: Buffer) => boolean | Promise<boolean>;

const marked =
  (mark: string, at = 0): Inspect =>
  (_, head) =>
    head.toString('latin1', at, at + mark.length) === mark;

/** The first header contains its checksum, computed with spaces in place of the checksum. */
const isTar: Inspect = (_, head) => {
  if (head.length < 512) return false;
  const sum = head.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 0x20 : byte), 0);
  return Number.parseInt(head.toString('latin1', 148, 156).replaceAll('\0', ' ').trim(), 8) === sum;
};

const isZip: Inspect = async (path) => (await readZipDirectory(path)) !== undefined;
const isText: Inspect = async (path) => (await sniffers.csv?.(path)) === true;
const isMp3: Inspect = (path, head) => marked('ID3')(path, head) || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0);

/** Content check by file extension. */
const inspectors: Readonly<Record<string, Inspect>> = {
  zip: isZip,
  tar: isTar,
  gz: marked('\x1f\x8b\x08'),
  tgz: marked('\x1f\x8b\x08'),
  jpg: marked('\xff\xd8\xff'),
  jpeg: marked('\xff\xd8\xff'),
  png: marked('\x89PNG\r\n\x1a\n'),
  gif: marked('GIF8'),
  mp4: marked('ftyp', 4),
  webm: marked('\x1a\x45\xdf\xa3'),
  mp3: isMp3,
  wav: marked('WAVE', 8),
  pdf: marked('%PDF-'),
};

/** Refuses a file whose content does not match its type; returns whether it is a valid ZIP. Type `other` is not checked. */
export const inspectContent = async (path: string, name: string, type: FileType): Promise<{ zip: boolean }> => {
  const head = await readHead(path);
  const inspect = type === 'other' ? undefined : (inspectors[extensionOf(name)] ?? isText);
  if (inspect && !(await inspect(path, head))) throw fail('wrong_media', { fields: { file: fileKinds[type].text } });
  return { zip: head.toString('latin1', 0, 4) === 'PK\x03\x04' && (await isZip(path, head)) };
};
