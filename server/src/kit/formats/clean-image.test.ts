import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { cleanImage } from './clean-image.ts';

const size = { width: 400, height: 400 };
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#2f6fed' } });
const png = () => blank(300, 100).png().toBuffer();
const jpeg = () =>
  blank(300, 100)
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer();

describe('an uploaded image', () => {
  test.each([
    ['PNG', png, 'image/png'],
    ['JPEG', jpeg, 'image/jpeg'],
  ] as const)('%s is re-encoded', async (_, make, mime) => {
    expect(await cleanImage(await make(), size)).toMatchObject({ mime, width: 300, height: 100 });
  });

  test('is reduced to the given size', async () => {
    expect(await cleanImage(await blank(2000, 1000).png().toBuffer(), size)).toMatchObject({ width: 400, height: 200 });
  });

  test('loses its metadata and trailing data', async () => {
    const dirty = Buffer.concat([await jpeg(), Buffer.from('<script>alert(1)</script>')]);
    expect(dirty.includes('secret place')).toBe(true);
    const clean = (await cleanImage(dirty, size))?.bytes;
    expect(clean?.includes('secret place')).toBe(false);
    expect(clean?.includes('<script>')).toBe(false);
  });

  test('gives the same bytes each time', async () => {
    const bytes = await jpeg();
    expect((await cleanImage(bytes, size))?.bytes.equals((await cleanImage(bytes, size))?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')],
    ['GIF', Buffer.from('47494638396101000100800000ffffff0000002c00000000010001000002024401003b', 'hex')],
    ['text', Buffer.from('hello')],
    ['empty file', Buffer.alloc(0)],
  ])('%s is refused', async (_, bytes) => {
    expect(await cleanImage(bytes, size)).toBeUndefined();
  });

  test('with too many pixels is refused', async () => {
    const bomb = await blank(6000, 6000).png().toBuffer();
    expect(bomb.length).toBeLessThan(600_000);
    expect(await cleanImage(bomb, size)).toBeUndefined();
  });

  test('with damaged bytes is re-encoded or refused', async () => {
    const originals = [await png(), await jpeg()];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...originals),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        async (original, changes, cutAt) => {
          const bytes = Buffer.from(original);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const clean = await cleanImage(bytes.subarray(0, 1 + (cutAt % bytes.length)), size);
          expect(clean === undefined || clean.bytes.length > 0).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
