import { deflateSync } from 'node:zlib';
import { pdfFonts } from './pdf-text.ts';

/** A4 in points. */
export const pdfPage = { width: 595.28, height: 841.89 } as const;

interface Jpeg {
  readonly width: number;
  readonly height: number;
  readonly colors: 1 | 3;
}

/** Size of a JPEG from its frame header; undefined for other files and for CMYK. */
export const readJpeg = (bytes: Buffer): Jpeg | undefined => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (!isFrame) continue;
    const height = bytes.readUInt16BE(at + 5);
    const width = bytes.readUInt16BE(at + 7);
    const colors = bytes[at + 9];
    return width > 0 && height > 0 && (colors === 1 || colors === 3) ? { width, height, colors } : undefined;
  }
  return undefined;
};

export interface PdfImage extends Jpeg {
  /** Name used by the operators of a page. */
  readonly name: string;
}

/**
 * Writes a document page by page. `take` returns the finished bytes, so only object offsets are kept in memory. Catalog and page tree are
 * objects 1 and 2, written last, when all pages are known.
 */
export const openPdf = () => {
  const firstFont = 3;
  const fonts = pdfFonts(firstFont);
  const offsets: number[] = [];
  const pages: number[] = [];
  const images = new Map<string, number>();
  let out: Buffer[] = [];
  let size = 0;

  const put = (chunk: string | Buffer) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    out.push(bytes);
    size += bytes.length;
  };
  const object = (number: number, ...contents: (string | Buffer)[]) => {
    offsets[number] = size;
    put(`${number} 0 obj\n`);
    for (const content of contents) put(content);
    put('\nendobj\n');
  };
  let next = firstFont + fonts.objects.length;
  const stream = (dictionary: string, bytes: Buffer) => {
    const number = next++;
    object(number, `<<${dictionary}/Length ${bytes.length}>>\nstream\n`, bytes, '\nendstream');
    return number;
  };

  // Bytes above 127 mark the file as binary for transfer programs.
  put(Buffer.from('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1'));
  for (const [i, font] of fonts.objects.entries()) object(firstFont + i, font);

  const addImage = (bytes: Buffer): PdfImage | undefined => {
    const jpeg = readJpeg(bytes);
    if (!jpeg) return undefined;
    const space = jpeg.colors === 1 ? 'DeviceGray' : 'DeviceRGB';
    const about = `/Type/XObject/Subtype/Image/Width ${jpeg.width}/Height ${jpeg.height}/ColorSpace/${space}/BitsPerComponent 8/Filter/DCTDecode`;
    const name = `I${images.size + 1}`;
    images.set(name, stream(about, bytes));
    return { ...jpeg, name };
  };

  const addPage = (operators: readonly string[]) => {
    const content = stream('/Filter/FlateDecode', deflateSync(Buffer.from(operators.join('\n'), 'latin1')));
    const pictures = [...images].map(([name, number]) => `/${name} ${number} 0 R`).join('');
    const number = next++;
    object(
      number,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${pdfPage.width} ${pdfPage.height}]/Contents ${content} 0 R/Resources<</Font${fonts.resources}/XObject<<${pictures}>>>>>>`,
    );
    pages.push(number);
  };

  const end = () => {
    object(1, '<</Type/Catalog/Pages 2 0 R>>');
    object(2, `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((n) => `${n} 0 R`).join(' ')}]>>`);
    const start = size;
    const rows = Array.from({ length: next - 1 }, (_, i) => `${String(offsets[i + 1]).padStart(10, '0')} 00000 n \n`);
    put(`xref\n0 ${next}\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${next}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
  };

  const take = (): Buffer => {
    const done = Buffer.concat(out);
    out = [];
    return done;
  };
  return { addImage, addPage, end, take };
};
