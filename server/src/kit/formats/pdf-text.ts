/** Text for `pdf.ts`: standard fonts of every viewer, with widths in thousandths of the font size. */
export type PdfFont = 'plain' | 'bold' | 'mono';

/** Font names in the page resources; `song` is the viewer's own Chinese font. */
const names = { plain: 'F1', bold: 'F2', mono: 'F3', song: 'F4' } as const;

/** Helvetica and Helvetica-Bold from the space to the tilde. */
const widths: Record<Exclude<PdfFont, 'mono'>, readonly number[]> = {
  plain: [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278,
    278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
    667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556,
    556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ],
  bold: [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333,
    333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722,
    667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611,
    611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
  ],
};
const yen = '\u00a5';
const yenWidth = 556;
const isLatin = (char: string) => (char >= ' ' && char <= '~') || char === yen;

const charWidth = (char: string, font: PdfFont): number => {
  if (!isLatin(char)) return 1000;
  if (font === 'mono') return 600;
  return char === yen ? yenWidth : (widths[font][char.charCodeAt(0) - 32] ?? 0);
};

export const pdfWidth = (text: string, size: number, font: PdfFont): number =>
  ([...text].reduce((sum, char) => sum + charWidth(char, font), 0) * size) / 1000;

/** Cuts a text to the available width. */
export const pdfClip = (text: string, size: number, font: PdfFont, maxWidth: number): string => {
  if (pdfWidth(text, size, font) <= maxWidth) return text;
  let short = [...text];
  while (short.length > 0 && pdfWidth(`${short.join('')}...`, size, font) > maxWidth) short = short.slice(0, -1);
  return `${short.join('')}...`;
};

const latin = (text: string) => `(${text.replace(/[\\()]/g, '\\$&').replaceAll(yen, '\\245')})`;

/** Two bytes per character; a character outside the BMP is shown as a box. */
const chinese = (text: string) =>
  `<${[...text].map((char) => (char.length === 1 ? char : '\u25a1').charCodeAt(0).toString(16).padStart(4, '0')).join('')}>`;

/** PDF operators for a line from its lower left corner; Chinese runs use the Chinese font. */
export const pdfText = (text: string, x: number, y: number, size: number, font: PdfFont): string => {
  const runs = text.match(/[ -~\u00a5]+|[^ -~\u00a5]+/g) ?? [];
  const shown = runs.map((run) =>
    isLatin(run[0] ?? '') ? `/${names[font]} ${size} Tf ${latin(run)} Tj` : `/${names.song} ${size} Tf ${chinese(run)} Tj`,
  );
  return `BT ${x.toFixed(2)} ${y.toFixed(2)} Td ${shown.join(' ')} ET`;
};

const standard = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;

/** Font objects in the order of their names; `at` is the number of the first. */
export const pdfFonts = (at: number): { readonly objects: readonly string[]; readonly resources: string } => ({
  objects: [
    standard('Helvetica'),
    standard('Helvetica-Bold'),
    standard('Courier-Bold'),
    `<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[${at + 4} 0 R]>>`,
    `<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000/FontDescriptor ${at + 5} 0 R>>`,
    '<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[-25 -254 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 93>>',
  ],
  resources: `<<${Object.values(names)
    .map((name, i) => `/${name} ${at + i} 0 R`)
    .join('')}>>`,
});
