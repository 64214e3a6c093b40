import { createReadStream } from 'node:fs';
import { createGzip } from 'node:zlib';

/**
 * A member of the archive: the content of `file`, a text, or the target of a symbolic link.
 * @typedef {{ name: string, mode: number } & ({ file: string, size: number } | { text: string } | { link: string })} Member
 */

const block = 512;

/** @param {number} value @param {number} width */
const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`;

/**
 * A name of ustar has 100 bytes, after a folder of 155.
 * @param {string} name
 */
const splitName = (name) => {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name };
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const prefix = name.slice(0, at);
    const rest = name.slice(at + 1);
    if (Buffer.byteLength(rest) <= 100 && Buffer.byteLength(prefix) <= 155) return { prefix, rest };
  }
  throw new Error(`the name is too long for a tar archive: ${name}`);
};

/** @param {Member} member @param {number} size @param {number} time */
const headerOf = (member, size, time) => {
  const header = Buffer.alloc(block);
  const { prefix, rest } = splitName(member.name);
  const link = 'link' in member ? member.link : '';
  /** @type {[at: number, text: string][]} */
  const fields = [
    [0, rest],
    [100, octal(member.mode, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(size, 12)],
    [136, octal(time, 12)],
    [148, ' '.repeat(8)],
    [156, link ? '2' : '0'],
    [157, link],
    [257, 'ustar\0'],
    [263, '00'],
    [345, prefix],
  ];
  for (const [at, text] of fields) header.write(text, at);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

/** @param {Iterable<Member>} members @param {number} time */
async function* tarOf(members, time) {
  for (const member of members) {
    const text = 'text' in member ? Buffer.from(member.text) : Buffer.alloc(0);
    const size = 'file' in member ? member.size : text.length;
    yield headerOf(member, size, time);
    let written = text.length;
    if (written > 0) yield text;
    if ('file' in member)
      for await (const chunk of createReadStream(member.file, { highWaterMark: 2 ** 20 })) {
        written += chunk.length;
        yield chunk;
      }
    if (written !== size) throw new Error(`${member.name} changed while it was read`);
    yield Buffer.alloc((block - (size % block)) % block);
  }
  yield Buffer.alloc(2 * block);
}

/**
 * A compressed tar archive, written here because plain Node 20 cannot import the writer of the server. The same
 * members give the same bytes: no owner, one time for all, order as given.
 * @param {Iterable<Member>} members
 * @param {number} time seconds since 1970
 */
export const tarGz = (members, time) => ({ source: tarOf(members, time), gzip: createGzip({ level: 6 }) });
