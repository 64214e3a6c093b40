import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mutations } from '../../../test/byte-fuzz.ts';
import { readDpiFile, UnreadableFile } from './read-dpi-file.ts';

const batch = { s: 'user', b: 'boot0001', seq: 1, t0: 1_790_000_000, dt: 60, c: ['acc', 'u', 'd'], v: [['crew', 10, 20]] };
const lineOf = (seq: number, more: object = {}) => `${JSON.stringify({ ...batch, seq, ...more })}\n`;
const fileOf = (...lines: readonly string[]) => gzipSync(lines.join(''));

/** Contents of the file, in chunks as a slow disk delivers them. */
const read = async (file: Uint8Array, bounds?: Parameters<typeof readDpiFile>[3], chunk = 7) => {
  const chunks = Array.from({ length: Math.ceil(file.length / chunk) }, (_, i) => Buffer.from(file.slice(i * chunk, (i + 1) * chunk)));
  const found = [];
  for await (const line of readDpiFile(Readable.from(chunks), file.length, 'flow_usr', bounds)) found.push(line);
  return found;
};
const refusalOf = (file: Uint8Array, bounds?: Parameters<typeof readDpiFile>[3]) =>
  read(file, bounds).then(
    () => undefined,
    (error: unknown) => (error instanceof UnreadableFile ? [error.message, error.detail] : error),
  );

describe('a DPI import file', () => {
  it('is read line by line, for any division into chunks', async () => {
    const lines = await read(fileOf(lineOf(1), '\n', lineOf(2, { s: 'flow', c: ['i', 'u', 'd'], v: [['6d', 1, 2]] }), lineOf(3).trimEnd()));
    expect(lines.map(({ stream, batch: { seq, rows } }) => [stream, seq, rows.length])).toEqual([
      ['user', 1, 1],
      ['flow', 2, 1],
      ['user', 3, 1],
    ]);
  });

  it('is refused with the line number if a line is not a batch of a DPI stream', async () => {
    expect(await refusalOf(fileOf(lineOf(1), lineOf(2, { s: 'mgt' })))).toEqual(['malformed', expect.stringMatching(/^2: s/)]);
    expect(await refusalOf(fileOf('[]\n'))).toEqual(['malformed', expect.stringMatching(/^1: /)]);
  });

  it('is refused if it is truncated or not gzip', async () => {
    const file = fileOf(lineOf(1), lineOf(2));
    expect(await refusalOf(file.subarray(0, file.length - 9))).toEqual(['damaged', '']);
    expect(await refusalOf(Buffer.from('{}'))).toEqual(['damaged', '']);
  });

  it('is refused if a line, its content or its compression ratio is too large', async () => {
    const bounds = { content: 10_000_000, line: 1000, ratio: 50 };
    expect(await refusalOf(fileOf('x'.repeat(1001)), bounds)).toEqual(['malformed', '1']);
    expect(await refusalOf(fileOf('x'.repeat(1001), '\n'), bounds)).toEqual(['malformed', '1']);
    expect(await refusalOf(gzipSync(Buffer.alloc(2 * 1024 * 1024, '\n')), bounds)).toEqual(['too_large', '']);
    expect(await refusalOf(fileOf('\n'.repeat(2000)), { ...bounds, content: 1999 })).toEqual(['too_large', '']);
  });

  it('yields batches or a refusal if random bytes are changed', { tags: 'all' }, async () => {
    const whole = fileOf(lineOf(1), lineOf(2), lineOf(3));
    const texts = mutations([gunzipSync(whole)], 1500).map((bytes) => gzipSync(bytes));
    for (const file of [...texts, ...mutations([whole], 1500)]) {
      const refusal = await refusalOf(file);
      if (refusal !== undefined) expect(refusal).toEqual([expect.stringMatching(/^(malformed|damaged|too_large)$/), expect.any(String)]);
    }
  });
});
