import { gzipSync } from 'node:zlib';

const block = 512;

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;

const headerOf = (name: string, size: number, at: number) => {
  const header = Buffer.alloc(block);
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(at, 12), 136);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

/** A `.tar.gz` of a few small files, with reproducible bytes. */
export const makeTarGz = (files: Readonly<Record<string, Buffer | string>>, at = 0): Buffer => {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(content);
    return [headerOf(name, body.length, at), body, Buffer.alloc((block - (body.length % block)) % block)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * block)]));
};
