import { gzipSync } from 'node:zlib';
import { padding, tarEnd, tarHeader } from './tar.ts';

/** A `.tar.gz` of a few small files, with reproducible bytes. */
export const makeTarGz = (files: Readonly<Record<string, Buffer | string>>): Buffer => {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(content);
    return [tarHeader({ name, size: body.length, isFolder: false }), body, padding(body.length)];
  });
  return gzipSync(Buffer.concat([...blocks, tarEnd()]));
};
