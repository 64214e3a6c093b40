import { describe, expect, it } from 'vitest';
import { linesOf, readPdf } from '../../../test/setup/read-pdf.ts';
import { openPdf, readJpeg } from './pdf.ts';
import { pdfClip, pdfText, pdfWidth } from './pdf-text.ts';

/** Header of a JPEG with its size; the reader needs no more. */
const jpeg = (width: number, height: number, colors: number) => {
  const frame = Buffer.from([0xff, 0xc0, 0, 8 + 3 * colors, 8, height >> 8, height & 255, width >> 8, width & 255, colors]);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2]), frame, Buffer.alloc(3 * colors), Buffer.from([0xff, 0xd9])]);
};

describe('a document', () => {
  it('has every object at the offset in its xref table, and all added pages', () => {
    const pdf = openPdf();
    const chunks: Buffer[] = [];
    for (let n = 1; n <= 250; n++) {
      pdf.addPage([pdfText(`page ${n}`, 10, 20, 12, 'plain')]);
      chunks.push(pdf.take());
    }
    pdf.end();
    chunks.push(pdf.take());
    const { pages } = readPdf(Buffer.concat(chunks));
    expect(pages).toHaveLength(250);
    expect(linesOf(pages[249]?.content ?? '')).toEqual(['page 250']);
  });

  it('keeps parentheses, backslashes and Chinese text unchanged', () => {
    const pdf = openPdf();
    const line = 'a(b)\\c 100% ¥5 海上套餐 (夜)';
    pdf.addPage([pdfText(line, 1, 2, 9, 'bold')]);
    pdf.end();
    const { pages } = readPdf(pdf.take());
    expect(linesOf(pages[0]?.content ?? '')).toEqual([line]);
    expect(pages[0]?.content).toContain('/F4 9 Tf <6d774e0a59579910> Tj');
  });

  it('contains an image once for all pages after it', () => {
    const pdf = openPdf();
    const image = pdf.addImage(jpeg(190, 60, 3));
    expect(image).toEqual({ width: 190, height: 60, colors: 3, name: 'I1' });
    pdf.addPage([`/${image?.name} Do`]);
    pdf.addPage([`/${image?.name} Do`]);
    pdf.end();
    const { objects, pages } = readPdf(pdf.take());
    expect(objects.filter((o) => o.includes('/DCTDecode'))).toHaveLength(1);
    for (const { page } of pages) expect(page).toMatch(/\/XObject<<\/I1 \d+ 0 R>>/);
  });
});

describe('an image', () => {
  it('is a JPEG in grey or colour', () => {
    expect(readJpeg(jpeg(300, 100, 1))).toEqual({ width: 300, height: 100, colors: 1 });
    expect(readJpeg(jpeg(300, 100, 4))).toBeUndefined();
    expect(readJpeg(jpeg(0, 100, 3))).toBeUndefined();
    for (const bytes of [Buffer.alloc(0), Buffer.from('\x89PNG\r\n\x1a\n'), jpeg(9, 9, 3).subarray(0, 12), Buffer.alloc(40, 0xff)])
      expect(readJpeg(bytes)).toBeUndefined();
  });
});

describe('a line', () => {
  it('is as wide as its font defines', () => {
    expect(pdfWidth('Hi', 10, 'plain')).toBeCloseTo(9.44);
    expect(pdfWidth('1234', 10, 'mono')).toBe(24);
    expect(pdfWidth('海上', 10, 'bold')).toBe(20);
  });

  it('is cut with "..." if it is too wide', () => {
    expect(pdfClip('short', 10, 'plain', 100)).toBe('short');
    const clipped = pdfClip('a very long name of a package', 10, 'plain', 60);
    expect(clipped).toMatch(/^a very.*\.\.\.$/);
    expect(pdfWidth(clipped, 10, 'plain')).toBeLessThanOrEqual(60);
  });
});
