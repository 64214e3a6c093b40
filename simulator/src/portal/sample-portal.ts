import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { portalHash } from '@farlink/gateway/protocol/portal.ts';
import { defaultDocument } from '@farlink/portal/default-document.ts';
import { siteFiles, siteOf } from '@farlink/portal/site.ts';

/** A portal for tests. */
export const sampleDocument = (title = '船员网') => defaultDocument('charged', [title, 'Crew']);

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  readonly mode?: number;
}

/** A ZIP file, also with names and modes that the console never writes. */
export const zipOf = (entries: readonly ZipEntry[]): Buffer => {
  const [locals, central]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, content, mode = 0o100644 } of entries) {
    const packed = deflateRawSync(content);
    const label = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, label, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), shared, rest, label]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
};

/** Entries of the bundle of a document. */
export const bundleEntries = (document = sampleDocument(), rev = 1): ZipEntry[] => {
  const files = [...siteFiles(siteOf(document))].map(([name, text]) => ({ name, content: Buffer.from(text) }));
  const hashes = Object.fromEntries(files.map(({ name, content }) => [name, sha256(content)]));
  const manifest = { v: 1, portal: 7, rev, files: hashes };
  return [{ name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) }, ...files];
};

export const sampleKey = 'k'.repeat(43);

/** Message of the section `portal` for a bundle at a URL. */
export const sectionMessage = (rev: number, zip: Buffer, url: string, host = 'http://127.0.0.1:9/portal/') => {
  const doc = { id: 7, h: sha256(zip), n: zip.length, billing: 'charged', key: sampleKey, host };
  return JSON.stringify({ rev, h: portalHash(doc), doc: { ...doc, url } });
};
