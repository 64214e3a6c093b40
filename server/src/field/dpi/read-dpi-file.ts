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
/** A ratio is judged only above this size, because short repetitive files compress well. */
const ratioFrom = 1024 * 1024;

interface FileLimits {
  readonly content: number;
  readonly line: number;
  readonly ratio: number;
}
const usual: FileLimits = { content: limits.dpiContentBytes, line: limits.dpiLineBytes, ratio: limits.dpiRatio };

/** Unpacked chunks. Content above the limits ends the reading before it is held. */
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
async function* linesOf(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let held = 0;
  let n = 1;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      if (held + end - from > most) throw new UnreadableFile('malformed', String(n));
      yield Buffer.concat([...rest, chunk.subarray(from, end)]);
      n++;
      from = end + 1;
      rest = [];
      held = 0;
    }
    held += chunk.length - from;
    if (held > most) throw new UnreadableFile('malformed', String(n));
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (held > 0) yield Buffer.concat(rest);
}

/** Batches of a file: gzip, one JSON object a line. Memory is bounded by the longest line. */
export async function* readDpiFile(file: Readable, size: number, type: DpiType, bounds: FileLimits = usual): AsyncGenerator<DpiLine> {
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
