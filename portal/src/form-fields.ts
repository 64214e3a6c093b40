import type { Lang } from '@farlink/contract/kit/text.ts';
import type { Block, BlockKind, BlockOf, PortalDocument, PortalImage } from './document.ts';

/**
 * The fields of the edit form as properties of a document. A text field is the text in one language. The visual editor edits the same
 * document.
 *
 * | Field        | Property                     |
 * | ------------ | ---------------------------- |
 * | `title`      | `title`                      |
 * | `welcome`    | text of the first `welcome`  |
 * | `banner`     | images of the first `banners`|
 * | `background` | `theme.image`                |
 * | `logo`       | `logo` of the `header`       |
 * | `link`       | `link`                       |
 * | `agreement`  | text of the `agreement`      |
 */
export interface FormFields {
  readonly title: string;
  readonly welcome: string;
  readonly banner: readonly PortalImage[];
  readonly background: PortalImage | null;
  readonly logo: PortalImage | null;
  readonly link: string;
  readonly agreement: string;
}

type Pair = readonly [string, string];

const at = (lang: Lang) => (lang === 'zh' ? 0 : 1);
const withText = (text: Pair, lang: Lang, value: string): [string, string] => (lang === 'zh' ? [value, text[1]] : [text[0], value]);

const isOf =
  <K extends BlockKind>(kind: K) =>
  (block: Block): block is Extract<Block, { kind: K }> =>
    block.kind === kind;

const firstOf = <K extends BlockKind>({ blocks }: PortalDocument, kind: K) => blocks.find(isOf(kind));

export const formFieldsOf = (doc: PortalDocument, lang: Lang): FormFields => ({
  title: doc.title[at(lang)],
  welcome: firstOf(doc, 'welcome')?.text[at(lang)] ?? '',
  banner: firstOf(doc, 'banners')?.images.map(({ image }) => image) ?? [],
  background: doc.theme.image ?? null,
  logo: firstOf(doc, 'header')?.logo ?? null,
  link: doc.link ?? '',
  agreement: firstOf(doc, 'agreement')?.text[at(lang)] ?? '',
});

const newId = (blocks: readonly Block[], kind: BlockKind): string => {
  const taken = new Set(blocks.map(({ id }) => id));
  let id: string = kind;
  for (let n = 2; taken.has(id); n++) id = `${kind}-${n}`;
  return id;
};

/** A new block is placed after the header, or before feedback and footer. */
const insertBlock = (blocks: readonly Block[], block: Block): Block[] => {
  if (block.kind === 'header') return [block, ...blocks];
  const header = blocks.findIndex(isOf('header'));
  const end = blocks.findIndex(({ kind }) => kind === 'feedback' || kind === 'footer');
  const index = block.kind === 'agreement' ? (end < 0 ? blocks.length : end) : header + 1;
  return blocks.toSpliced(index, 0, block);
};

/** Changes the first block of a kind; without one, adds it unless the value is empty. */
const withBlock = <K extends BlockKind>(
  doc: PortalDocument,
  kind: K,
  isEmpty: boolean,
  start: (id: string) => BlockOf<K> & Block,
  change: (block: Extract<Block, { kind: K }>) => Block,
): PortalDocument => {
  const index = doc.blocks.findIndex(isOf(kind));
  const existing = doc.blocks.find(isOf(kind));
  if (existing) return { ...doc, blocks: doc.blocks.with(index, change(existing)) };
  return isEmpty ? doc : { ...doc, blocks: insertBlock(doc.blocks, start(newId(doc.blocks, kind))) };
};

/** A bare host name is opened by HTTPS. */
const absolute = (link: string) => (/^(https?:|tel:|mailto:)/i.test(link) ? link : `https://${link}`);

const without = <T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> => {
  const { [key]: _, ...rest } = value;
  return rest;
};

const withBanner = (doc: PortalDocument, images: readonly PortalImage[]): PortalDocument =>
  withBlock(
    doc,
    'banners',
    images.length === 0,
    (id) => ({ id, kind: 'banners', images: images.map((image) => ({ image, alt: ['', ''] })) }),
    (block) => ({
      ...block,
      images: images.map((image) => block.images.find((one) => one.image.sha256 === image.sha256) ?? { image, alt: ['', ''] }),
    }),
  );

const withLogo = (doc: PortalDocument, logo: PortalImage | null): PortalDocument =>
  withBlock(
    doc,
    'header',
    logo === null,
    (id) => ({ id, kind: 'header', text: [doc.title[0], doc.title[1]], ...(logo && { logo }) }),
    (block) => (logo ? { ...block, logo } : without(block, 'logo')),
  );

/** The document with these fields; a missing field stays as it is. */
export const withFormFields = (doc: PortalDocument, fields: Partial<FormFields>, lang: Lang): PortalDocument => {
  const { title, welcome, banner, background, logo, link, agreement } = fields;
  let out = doc;
  if (title !== undefined) out = { ...out, title: withText(out.title, lang, title) };
  if (logo !== undefined) out = withLogo(out, logo);
  if (welcome !== undefined)
    out = withBlock(
      out,
      'welcome',
      welcome === '',
      (id) => ({ id, kind: 'welcome', text: withText(['', ''], lang, welcome), align: 'center' }),
      (block) => ({ ...block, text: withText(block.text, lang, welcome) }),
    );
  if (banner !== undefined) out = withBanner(out, banner);
  if (background !== undefined) out = { ...out, theme: background ? { ...out.theme, image: background } : without(out.theme, 'image') };
  if (link !== undefined) out = link === '' ? without(out, 'link') : { ...out, link: absolute(link) };
  if (agreement !== undefined)
    out = withBlock(
      out,
      'agreement',
      agreement === '',
      (id) => ({ id, kind: 'agreement', text: withText(['', ''], lang, agreement) }),
      (block) => ({ ...block, text: withText(block.text, lang, agreement) }),
    );
  return out;
};
