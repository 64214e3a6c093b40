import { flag, int, list, type Of, obj, oneOf, type Parsed, parse, row, type Shape, str } from '@farlink/gateway/protocol/shape.ts';

/**
 * A portal is a document: known blocks in an order, with texts in both languages and a theme. Only the renderer creates HTML, so authors
 * cannot add scripts.
 */

/** `[zh, en]`. An empty English text falls back to Chinese and the other way round. */
const textOf = (max: number) => row(str(max), str(max));

const color = str(7, /^#[0-9a-f]{6}$/);

/** Only addresses that a browser opens; everything else (`javascript:`, `data:`) is refused. */
const addressPattern = /^$|^(https?:\/\/|tel:|mailto:)[^\s"'<>\\]+$/i;
const addressMax = 500;
const address = str(addressMax, addressPattern);
export const isAddress = (text: string): boolean => text.length <= addressMax && addressPattern.test(text);

/** An uploaded image by the hash of its content. */
const image = obj({ sha256: str(64, /^[0-9a-f]{64}$/), ext: oneOf(['png', 'jpg']), width: int(1, 10_000), height: int(1, 10_000) });
export type PortalImage = Of<typeof image>;

const aligns = ['start', 'center'] as const;
const tones = ['plain', 'card', 'accent'] as const;
export const blockStyle = { align: aligns, tone: tones } as const;

const frame = { id: str(24, /^[a-z0-9-]{1,24}$/) };
const common = { hidden: flag, align: oneOf(aligns), tone: oneOf(tones), heading: textOf(60) };

const block = <K extends string, R extends Readonly<Record<string, Shape<unknown>>>, O extends Readonly<Record<string, Shape<unknown>>>>(
  kind: K,
  required: R,
  optional: O,
) => obj({ ...frame, kind: oneOf([kind]), ...required }, { ...common, ...optional });

const picture = obj({ image, alt: textOf(120) }, { link: address });

const empty = {};

/** All kinds of blocks, in the order of the editor's palette. */
export const blockShapes = {
  header: block('header', { text: textOf(60) }, { logo: image }),
  banners: block('banners', { images: list(picture, 5) }, empty),
  welcome: block('welcome', { text: textOf(512) }, empty),
  login: block('login', empty, { register: flag }),
  quota: block('quota', empty, empty),
  card: block('card', empty, empty),
  packages: block('packages', empty, { most: int(1, 20) }),
  notices: block('notices', empty, { most: int(1, 10) }),
  adverts: block('adverts', { images: list(picture, 6) }, { columns: oneOf([1, 2, 3]) }),
  agreement: block('agreement', { text: textOf(10_000) }, empty),
  contact: block('contact', { text: textOf(200) }, { phone: str(32, /^[0-9+\- ]*$/), email: str(128) }),
  feedback: block('feedback', empty, empty),
  footer: block('footer', { text: textOf(200) }, { link: address }),
  /** HTML of the template package, checked when it was uploaded. */
  fragment: block('fragment', { name: str(40, /^[a-z0-9-]{1,40}$/) }, empty),
} as const;
export type BlockKind = keyof typeof blockShapes;
export type BlockOf<K extends BlockKind> = Of<(typeof blockShapes)[K]>;
export type Block = { readonly [K in BlockKind]: BlockOf<K> }[BlockKind];

export const blockKinds: readonly BlockKind[] = [
  'header',
  'banners',
  'welcome',
  'login',
  'quota',
  'card',
  'packages',
  'notices',
  'adverts',
  'agreement',
  'contact',
  'feedback',
  'footer',
  'fragment',
];

/** Blocks that a document has at most once. */
export const isSingle = (kind: BlockKind) => !['banners', 'welcome', 'adverts', 'fragment'].includes(kind);

const kinds = obj({ kind: oneOf(blockKinds) });

export const anyBlock: Shape<Block> = {
  read: (raw, at) => {
    const { kind } = kinds.read(raw, at);
    const shape: Shape<Block> = blockShapes[kind];
    return shape.read(raw, at);
  },
};

export const themeShape = obj(
  {
    primary: color,
    background: color,
    scheme: oneOf(['light', 'dark', 'auto']),
    radius: oneOf([0, 4, 8, 16]),
    size: oneOf(['small', 'normal', 'large']),
  },
  { image },
);
export type Theme = Of<typeof themeShape>;

const portalDocument = obj(
  { v: oneOf([1]), title: textOf(25), theme: themeShape, blocks: list(anyBlock, 40) },
  {
    /** Opened after the login of a subscriber. */
    link: address,
  },
);
export type PortalDocument = Of<typeof portalDocument>;

/** The first rule that the blocks break together; undefined: none. */
export const faultOf = (blocks: readonly Block[]): string | undefined => {
  const ids = new Set(blocks.map(({ id }) => id));
  if (ids.size < blocks.length) return 'blocks: each id once';
  for (const kind of blockKinds)
    if (isSingle(kind) && blocks.filter((one) => one.kind === kind).length > 1) return `blocks: ${kind} at most once`;
  return undefined;
};

/** Parses a document from outside. The reason names the path of the first fault. */
export const parseDocument = (raw: unknown): Parsed<PortalDocument> => {
  const parsed = parse(portalDocument, raw);
  if ('reason' in parsed) return parsed;
  const reason = faultOf(parsed.value.blocks);
  return reason === undefined ? parsed : { reason };
};

/** An image with its path in the document. */
export interface ImagePosition {
  readonly path: string;
  readonly image: PortalImage;
}

/** The images of a document, with their paths. */
export const imagePositions = ({ theme: { image: background }, blocks }: PortalDocument): readonly ImagePosition[] => [
  ...(background ? [{ path: 'theme.image', image: background }] : []),
  ...blocks.flatMap((one, n) => {
    if (one.kind === 'header') return one.logo ? [{ path: `blocks.${n}.logo`, image: one.logo }] : [];
    return one.kind === 'banners' || one.kind === 'adverts'
      ? one.images.map((picture, m) => ({ path: `blocks.${n}.images.${m}.image`, image: picture.image }))
      : [];
  }),
];

/** All images that a document shows. */
export const imagesOf = (doc: PortalDocument): readonly PortalImage[] => imagePositions(doc).map(({ image: one }) => one);
