import { inflateRawSync } from 'node:zlib';
import { bundleBytes, type PortalManifest, portalManifest } from '@farlink/gateway/protocol/portal.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { sha256Of } from '../config/fetch-fragment.ts';

/** The bundle is not a ZIP with the files of its manifest. */
export class UnpackError extends Error {}

export interface Bundle {
  readonly manifest: PortalManifest;
  /** Content by name, without the manifest. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const manifestName = 'manifest.json';
const maxEntries = 201;
/** All files together, unpacked. */
const maxUnpacked = 8 * 1024 * 1024;

const signatures = { end: 0x06054b50, entry: 0x02014b50, local: 0x04034b50 } as const;
const endBytes = 22;
const stored = 0;
const deflated = 8;
/** File type of a symbolic link in the Unix mode. */
const typeMask = 0xf000;
const symlink = 0xa000;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

const directoryOf = (zip: Buffer): { readonly count: number; readonly at: number } => {
  // The bundles of the console have no comment, so the end record is at the end.
  const at = zip.length - endBytes;
  if (at < 0 || zip.readUInt32LE(at) !== signatures.end) throw new UnpackError('not a ZIP file');
  const count = zip.readUInt16LE(at + 10);
  if (count === 0 || count > maxEntries) throw new UnpackError(`${count} files`);
  return { count, at: zip.readUInt32LE(at + 16) };
};

const entryAt = (zip: Buffer, at: number): Entry & { readonly next: number } => {
  if (zip.readUInt32LE(at) !== signatures.entry) throw new UnpackError('damaged directory');
  const flags = zip.readUInt16LE(at + 8);
  const method = zip.readUInt16LE(at + 10);
  const nameBytes = zip.readUInt16LE(at + 28);
  const extra = zip.readUInt16LE(at + 30);
  const comment = zip.readUInt16LE(at + 32);
  const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
  if ((flags & 1) !== 0 || (method !== stored && method !== deflated)) throw new UnpackError(`${name}: unknown compression`);
  if (((zip.readUInt32LE(at + 38) >>> 16) & typeMask) === symlink) throw new UnpackError(`${name}: symbolic link`);
  const packed = zip.readUInt32LE(at + 20);
  const size = zip.readUInt32LE(at + 24);
  return { name, method, packed, size, at: zip.readUInt32LE(at + 42), next: at + 46 + nameBytes + extra + comment };
};

const contentOf = (zip: Buffer, { name, method, packed, size, at }: Entry): Buffer => {
  if (zip.readUInt32LE(at) !== signatures.local) throw new UnpackError(`${name}: damaged`);
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const raw = zip.subarray(start, start + packed);
  if (raw.length !== packed) throw new UnpackError(`${name}: incomplete`);
  const content = method === stored ? raw : inflateRawSync(raw, { maxOutputLength: Math.max(1, size) });
  if (content.length !== size) throw new UnpackError(`${name}: another size`);
  return content;
};

const unzip = (zip: Buffer): ReadonlyMap<string, Buffer> => {
  const directory = directoryOf(zip);
  const files = new Map<string, Buffer>();
  let at = directory.at;
  let total = 0;
  for (let n = 0; n < directory.count; n++) {
    const entry = entryAt(zip, at);
    at = entry.next;
    total += entry.size;
    if (total > maxUnpacked) throw new UnpackError('too large');
    if (files.has(entry.name)) throw new UnpackError(`${entry.name}: twice`);
    files.set(entry.name, contentOf(zip, entry));
  }
  return files;
};

const checked = (files: ReadonlyMap<string, Buffer>): Bundle => {
  const manifest = parseJson(portalManifest, files.get(manifestName)?.toString() ?? '');
  if ('reason' in manifest) throw new UnpackError(`${manifestName}: ${manifest.reason}`);
  const named = Object.entries(manifest.value.files);
  // Names outside the manifest are refused, so a path such as `../x` never reaches the disk.
  const unknown = [...files.keys()].find((name) => name !== manifestName && !Object.hasOwn(manifest.value.files, name));
  if (unknown !== undefined) throw new UnpackError(`${unknown}: not in the manifest`);
  const content = new Map<string, Buffer>();
  for (const [name, hash] of named) {
    const file = files.get(name);
    if (!file || sha256Of(file) !== hash) throw new UnpackError(`${name}: ${file ? 'another hash' : 'missing'}`);
    content.set(name, file);
  }
  return { manifest: manifest.value, files: content };
};

/** Unpacks a bundle in memory. Throws `UnpackError` with the place of the fault. */
export const readBundle = (zip: Buffer): Bundle => {
  if (zip.length > bundleBytes) throw new UnpackError('too large');
  try {
    return checked(unzip(zip));
  } catch (error) {
    if (error instanceof UnpackError) throw error;
    throw new UnpackError(error instanceof Error ? error.message : String(error));
  }
};
