import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  readonly name: string;
  readonly source: Readable;
  /** Epoch seconds. */
  readonly at: number;
}

const isPacked = (name: string) => /\.(gz|tgz|zip|xlsx)$/.test(name);

/** Streams files into a ZIP one after the other. The next is requested when the previous one has been read. */
export async function* zipFiles(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const out = new PassThrough();
  zip.once('error', (error) => out.destroy(error));
  zip.outputStream.pipe(out);
  const feed = async () => {
    for await (const { name, source, at } of entries) {
      out.once('close', () => source.destroy());
      zip.addReadStream(source, name, { mtime: new Date(at * 1000), compress: !isPacked(name) });
      await finished(source);
    }
    zip.end();
  };
  feed().catch((error: Error) => out.destroy(error));
  yield* out;
}
