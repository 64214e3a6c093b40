import { inkOn, shade } from './color.ts';
import type { Block, PortalDocument, PortalImage } from './document.ts';

/**
 * A small picture of a document: its colors, its blocks in their order, and its images. It is drawn from the document, not taken from a
 * browser, so texts are bars.
 */
const width = 180;
const height = 240;
const margin = 12;
const inner = width - 2 * margin;
const gap = 6;

/** Address of the image for the drawing; undefined draws a frame. */
type HrefOf = (image: PortalImage) => string | undefined;

interface Colors {
  readonly primary: string;
  readonly ink: string;
  readonly soft: string;
  readonly surface: string;
  readonly radius: number;
}

const rectSvg = (x: number, y: number, w: number, h: number, fill: string, radius = 2) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${radius}" fill="${fill}"/>`;

const picture = (href: string | undefined, at: readonly [number, number, number, number], fill: string) => {
  const [x, y, w, h] = at;
  return href === undefined
    ? rectSvg(x, y, w, h, fill)
    : `<image href="${href}" x="${x}" y="${y}" width="${w}" height="${h}" preserveAspectRatio="xMidYMid slice"/>`;
};

interface Drawn {
  readonly svg: string;
  readonly height: number;
}
type Draw = (y: number) => Drawn;

const bars =
  (count: number, { ink }: Colors, share = 1): Draw =>
  (y) => ({
    svg: Array.from({ length: count }, (_, n) => rectSvg(margin, y + n * 8, inner * share * (n === count - 1 ? 0.6 : 0.9), 4, ink)).join(
      '',
    ),
    height: count * 8 - 4,
  });

const card =
  (rows: number, withButton: boolean, { primary, soft, surface, radius }: Colors): Draw =>
  (y) => {
    const h = 8 + rows * 13 + (withButton ? 15 : 0);
    const fields = Array.from({ length: rows }, (_, n) => rectSvg(margin + 8, y + 8 + n * 13, inner - 16, 8, soft));
    const button = withButton ? rectSvg(margin + 8, y + 8 + rows * 13, inner - 16, 9, primary) : '';
    return { svg: `${rectSvg(margin, y, inner, h, surface, Math.min(radius, 8))}${fields.join('')}${button}`, height: h };
  };

const images =
  (list: readonly PortalImage[], columns: number, h: number, { soft }: Colors, hrefOf: HrefOf): Draw =>
  (y) => {
    const w = (inner - gap * (columns - 1)) / columns;
    const shown = list.slice(0, columns);
    const drawn = shown.map((image, n) => picture(hrefOf(image), [margin + n * (w + gap), y, w, h], soft));
    return { svg: drawn.join(''), height: shown.length === 0 ? 0 : h };
  };

const header =
  (logo: PortalImage | undefined, { ink, soft }: Colors, hrefOf: HrefOf): Draw =>
  (y) => ({
    svg: `${logo ? picture(hrefOf(logo), [margin, y, 48, 15], soft) : ''}${rectSvg(logo ? margin + 54 : margin, y + 5, 60, 6, ink)}${rectSvg(width - margin - 20, y + 6, 20, 4, soft)}`,
    height: 15,
  });

const drawOf = (block: Block, colors: Colors, hrefOf: HrefOf): Draw | undefined => {
  switch (block.kind) {
    case 'header':
      return header(block.logo, colors, hrefOf);
    case 'banners':
      return images(block.images.map(({ image }) => image).slice(0, 1), 1, 48, colors, hrefOf);
    case 'adverts':
      return images(
        block.images.map(({ image }) => image),
        block.columns ?? 2,
        30,
        colors,
        hrefOf,
      );
    case 'login':
      return card(2, true, colors);
    case 'card':
      return card(2, true, colors);
    case 'packages':
      return card(3, false, colors);
    case 'welcome':
      return bars(2, colors);
    case 'quota':
      return undefined;
    default:
      return bars(1, colors, 0.7);
  }
};

/** SVG of 180 × 240 for a document. */
export const thumbnailSvg = (doc: PortalDocument, hrefOf: HrefOf): string => {
  const { primary, background, scheme, radius, image } = doc.theme;
  const darkPage = inkOn(background) === '#ffffff' ? shade(background, -0.4) : '#11151e';
  const page = scheme === 'dark' ? darkPage : background;
  const isDark = inkOn(page) === '#ffffff';
  const colors: Colors = {
    primary,
    ink: isDark ? '#c3ccd9' : '#4a5568',
    soft: isDark && scheme === 'dark' ? '#566074' : '#cbd3df',
    surface: scheme === 'dark' ? '#1d2330' : '#ffffff',
    radius,
  };
  let y = margin;
  let svg = rectSvg(0, 0, width, height, page, 0);
  if (image) svg += picture(hrefOf(image), [0, 0, width, height], page);
  const blocks = [...doc.blocks.filter(({ kind }) => kind === 'header'), ...doc.blocks.filter(({ kind }) => kind !== 'header')];
  for (const block of blocks) {
    const draw = block.hidden ? undefined : drawOf(block, colors, hrefOf);
    if (!draw || y >= height) continue;
    const drawn = draw(y);
    svg += drawn.svg;
    if (drawn.height > 0) y += drawn.height + gap;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${svg}</svg>`;
};
