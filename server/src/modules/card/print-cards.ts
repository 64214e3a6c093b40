import type { Lang, Text } from '@farlink/contract/kit/text.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { zoneName } from '@farlink/contract/kit/zone.ts';
import type { Row } from '../../kit/export/export-rows.ts';
import { localTime } from '../../kit/formats/cell.ts';
import { openPdf, type PdfImage, pdfPage } from '../../kit/formats/pdf.ts';
import { type PdfFont, pdfClip, pdfText, pdfWidth } from '../../kit/formats/pdf-text.ts';

/** A4 sheets of cards, two by five, with lines to cut along. */
const columns = 2;
const rows = 5;
const margin = 28;
const inset = 14;
/** Ends above the line of the package. */
const logoHeight = 24;
const width = (pdfPage.width - 2 * margin) / columns;
const height = (pdfPage.height - 2 * margin) / rows;

const texts = {
  number: ['卡号', 'Card number'],
  password: ['卡密', 'Password'],
  expiry: ['有效期至', 'Valid until'],
  periods: ['× {0} 个周期', '× {0}'],
} as const satisfies Record<string, Text>;

export interface Printing {
  readonly lang: Lang;
  readonly offsetMinutes: number;
  /** Logo of a VNO, if it has a printable one. */
  readonly logoOf: (agentId: number) => Promise<Buffer | undefined>;
}

const str = (value: unknown) => (value === null || value === undefined ? '' : String(value));
const grouped = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');

/** Value of the card as printed: the amount, and for a package its name and periods. */
const worthOf = (row: Row, lang: Lang): { readonly head: string; readonly below: string } => {
  const amount = `\u00a5${str(row.denomination)}`;
  if (row.card_type !== 'package') return { head: amount, below: '' };
  const periods = say(texts.periods, lang).replace('{0}', str(row.period));
  return { head: amount, below: `${str(row.package_name)} ${periods}` };
};

const drawCard = (row: Row, left: number, top: number, logo: PdfImage | undefined, { lang, offsetMinutes }: Printing): string[] => {
  const start = left + inset;
  const end = left + width - inset;
  const line = (text: string, y: number, size: number, font: PdfFont, maxWidth = end - start) =>
    pdfText(pdfClip(text, size, font, maxWidth), start, top - y, size, font);
  const right = (text: string, y: number, size: number, font: PdfFont) =>
    pdfText(text, end - pdfWidth(text, size, font), top - y, size, font);
  const { head, below } = worthOf(row, lang);
  const maxWidth = end - start - pdfWidth(head, 16, 'bold') - 12;
  const scale = logo ? Math.min(maxWidth / logo.width, logoHeight / logo.height) : 0;
  const day = `${localTime(Number(row.expire_at), offsetMinutes).slice(0, 10)} (${zoneName})`;
  return [
    logo
      ? `q ${(logo.width * scale).toFixed(2)} 0 0 ${(logo.height * scale).toFixed(2)} ${start.toFixed(2)} ${(top - 14 - logo.height * scale).toFixed(2)} cm /${logo.name} Do Q`
      : line(str(row.agent_name), 30, 13, 'bold', maxWidth),
    right(head, 30, 16, 'bold'),
    '0.35 g',
    line(below, 48, 9, 'plain'),
    line(say(texts.number, lang), 68, 8, 'plain'),
    line(say(texts.password, lang), 98, 8, 'plain'),
    '0 g',
    line(grouped(str(row.number)), 83, 15, 'mono'),
    line(grouped(str(row.password)), 113, 15, 'mono'),
    '0.35 g',
    line(`${say(texts.expiry, lang)} ${day}`, 140, 8, 'plain'),
    right(str(row.batch_no), 140, 8, 'plain'),
    '0 g',
  ];
};

const cutLines = (): string[] => {
  const across = Array.from({ length: rows + 1 }, (_, i) => {
    const y = (margin + i * height).toFixed(2);
    return `0 ${y} m ${pdfPage.width} ${y} l`;
  });
  const down = Array.from({ length: columns + 1 }, (_, i) => {
    const x = (margin + i * width).toFixed(2);
    return `${x} 0 m ${x} ${pdfPage.height} l`;
  });
  return ['q 0.6 G 0.4 w [3 3] 0 d', ...across, ...down, 'S Q'];
};

/** Streams the sheets; memory holds one sheet and the logos of the VNOs. */
export async function* printCards(batches: AsyncIterable<readonly Row[]>, printing: Printing): AsyncGenerator<Buffer> {
  const pdf = openPdf();
  const logos = new Map<number, PdfImage | undefined>();
  let sheet: string[] = [];
  let count = 0;
  const logoOf = async (agentId: number) => {
    if (!logos.has(agentId)) {
      const bytes = await printing.logoOf(agentId);
      logos.set(agentId, bytes && pdf.addImage(bytes));
    }
    return logos.get(agentId);
  };
  const finishSheet = () => {
    pdf.addPage([...cutLines(), ...sheet]);
    sheet = [];
    return pdf.take();
  };
  for await (const batch of batches) {
    for (const row of batch) {
      const cell = count++ % (columns * rows);
      const column = cell % columns;
      const line = Math.floor(cell / columns);
      const left = margin + column * width;
      const top = pdfPage.height - margin - line * height;
      sheet.push(...drawCard(row, left, top, await logoOf(Number(row.vno_id)), printing));
      if (cell === columns * rows - 1) yield finishSheet();
    }
  }
  if (sheet.length > 0) yield finishSheet();
  pdf.end();
  yield pdf.take();
}
