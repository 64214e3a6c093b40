import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits } from '@farlink/contract/limits.ts';
import { type DpiLine, type DpiType, dpiLine } from '@farlink/gateway/protocol/dpi.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';

/** The file cannot be imported. `detail` is part of the message, such as the line. */
export class UnreadableFile extends Error {
  readonly detail: string;
  constructor(reason: 'too_large' | 'malformed' | 'damaged' | 'missing', detail = '') {
    super(reason);
    this.detail = detail;
  }
}

const newline = 0x0a;
/** The ratio is checked only above this size, because short repetitive files compress well. */
const ratioFrom = 1024 * 1024;

interface FileLimits {
  readonly content: number;
  readonly line: number;
  readonly ratio: number;
}
const defaultLimits: FileLimits = { content: limits.dpiContentBytes, line: limits.dpiLineBytes, ratio: limits.dpiRatio };

/** Unpacked chunks. Reading stops when the content exceeds the limits, so memory stays bounded. */
async function* unpacked(file: Readable, size: number, { content, ratio }: FileLimits): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  file.once('error', (error) => gunzip.destroy(error));
  let total = 0;
  try {
    for await (const chunk of file.pipe(gunzip)) {
      total += chunk.length;
      if (total > content || total > Math.max(ratioFrom, size * ratio)) throw new UnreadableFile('too_large');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof UnreadableFile || !(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    throw new UnreadableFile('damaged');
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

/** Lines without their end. The last one needs no newline. */
async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  let n = 1;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      if (bufferedBytes + end - from > maxBytes) throw new UnreadableFile('malformed', String(n));
      yield Buffer.concat([...buffered, chunk.subarray(from, end)]);
      n++;
      from = end + 1;
      buffered = [];
      bufferedBytes = 0;
    }
    bufferedBytes += chunk.length - from;
    if (bufferedBytes > maxBytes) throw new UnreadableFile('malformed', String(n));
    if (from < chunk.length) buffered.push(chunk.subarray(from));
  }
  if (bufferedBytes > 0) yield Buffer.concat(buffered);
}

/** Batches of a file: gzip, one JSON object a line. Memory is bounded by the longest line. */
export async function* readDpiFile(
  file: Readable,
  size: number,
  type: DpiType,
  bounds: FileLimits = defaultLimits,
): AsyncGenerator<DpiLine> {
  const shape = dpiLine(type);
  let n = 0;
  for await (const line of linesOf(unpacked(file, size, bounds), bounds.line)) {
    n++;
    if (line.length === 0) continue;
    const parsed = parseJson(shape, line.toString());
    if ('reason' in parsed) throw new UnreadableFile('malformed', `${n}: ${parsed.reason}`);
    yield parsed.value;
  }
}
