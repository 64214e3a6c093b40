import type { Text } from '@farlink/contract/kit/text.ts';
import { type Block, type BlockKind, type BlockOf, isSingle, type PortalDocument, type Theme } from '@farlink/portal/document.ts';

/** Limit of a document (parseDocument). */
export const maxBlocks = 40;

const none: Text = ['', ''];

const newBlocks: { readonly [K in BlockKind]: (id: string) => BlockOf<K> } = {
  header: (id) => ({ id, kind: 'header', text: none }),
  banners: (id) => ({ id, kind: 'banners', images: [] }),
  welcome: (id) => ({ id, kind: 'welcome', text: none, align: 'center' }),
  login: (id) => ({ id, kind: 'login', tone: 'card', register: true }),
  quota: (id) => ({ id, kind: 'quota', tone: 'card' }),
  card: (id) => ({ id, kind: 'card', tone: 'card' }),
  packages: (id) => ({ id, kind: 'packages', tone: 'card', most: 6 }),
  notices: (id) => ({ id, kind: 'notices', tone: 'plain', most: 3 }),
  adverts: (id) => ({ id, kind: 'adverts', images: [], columns: 2 }),
  agreement: (id) => ({ id, kind: 'agreement', text: none }),
  contact: (id) => ({ id, kind: 'contact', text: none, tone: 'card' }),
  feedback: (id) => ({ id, kind: 'feedback' }),
  footer: (id) => ({ id, kind: 'footer', text: none, align: 'center' }),
  fragment: (id) => ({ id, kind: 'fragment', name: '' }),
};

/** `banners`, `banners-2`, `banners-3` … */
const freeId = (doc: PortalDocument, kind: BlockKind) => {
  const taken = new Set(doc.blocks.map(({ id }) => id));
  let id: string = kind;
  for (let count = 2; taken.has(id); count++) id = `${kind}-${count}`;
  return id;
};

export const blockAt = (doc: PortalDocument, id: string): Block | undefined => doc.blocks.find((block) => block.id === id);

export const isOf = <K extends BlockKind>(block: Block, kind: K): block is Extract<Block, { kind: K }> => block.kind === kind;

export const firstOf = <K extends BlockKind>(doc: PortalDocument, kind: K): Extract<Block, { kind: K }> | undefined =>
  doc.blocks.find((block): block is Extract<Block, { kind: K }> => isOf(block, kind));

/** Why a block of this kind cannot be added. */
export const mayAdd = (doc: PortalDocument, kind: BlockKind): 'yes' | 'single' | 'full' => {
  if (doc.blocks.length >= maxBlocks) return 'full';
  return isSingle(kind) && firstOf(doc, kind) ? 'single' : 'yes';
};

/** The renderer always shows the header first, so the list does too. */
const lowest = ({ blocks }: PortalDocument) => (blocks.some(({ kind }) => kind === 'header') ? 1 : 0);

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));

const insert = (doc: PortalDocument, block: Block, at: number): PortalDocument => {
  const to = block.kind === 'header' ? 0 : clamp(at, lowest(doc), doc.blocks.length);
  return { ...doc, blocks: doc.blocks.toSpliced(to, 0, block) };
};

/** A new block goes after `after`, or before the footer. */
export const addBlock = (
  doc: PortalDocument,
  kind: BlockKind,
  after?: string,
): { readonly doc: PortalDocument; readonly id: string } | undefined => {
  if (mayAdd(doc, kind) !== 'yes') return undefined;
  const id = freeId(doc, kind);
  const at = doc.blocks.findIndex((block) => block.id === after);
  const footer = doc.blocks.findIndex((block) => block.kind === 'footer');
  const end = footer < 0 || kind === 'footer' ? doc.blocks.length : footer;
  return { doc: insert(doc, newBlocks[kind](id), at < 0 ? end : at + 1), id };
};

export const removeBlock = (doc: PortalDocument, id: string): PortalDocument => ({
  ...doc,
  blocks: doc.blocks.filter((block) => block.id !== id),
});

/** Moves a block to an index of the resulting list. */
export const moveBlock = (doc: PortalDocument, id: string, to: number): PortalDocument => {
  const block = blockAt(doc, id);
  if (!block || block.kind === 'header') return doc;
  const moved = insert(removeBlock(doc, id), block, to);
  return moved.blocks.every((one, i) => one === doc.blocks[i]) ? doc : moved;
};

export const mayDuplicate = (doc: PortalDocument, { kind }: Block) => mayAdd(doc, kind) === 'yes';

export const duplicateBlock = (doc: PortalDocument, id: string): { readonly doc: PortalDocument; readonly id: string } | undefined => {
  const at = doc.blocks.findIndex((block) => block.id === id);
  const block = doc.blocks[at];
  if (!block || !mayDuplicate(doc, block)) return undefined;
  const copy = freeId(doc, block.kind);
  return { doc: insert(doc, { ...block, id: copy }, at + 1), id: copy };
};

/** Replaces a block by its changed version. */
export const editBlock = (doc: PortalDocument, changed: Block): PortalDocument => ({
  ...doc,
  blocks: doc.blocks.map((block) => (block.id === changed.id ? changed : block)),
});

export const setHidden = (doc: PortalDocument, id: string, hidden: boolean): PortalDocument => {
  const block = blockAt(doc, id);
  return block ? editBlock(doc, { ...block, hidden }) : doc;
};

/** `Theme` without its image is expressed by `image: undefined`. */
export const editTheme = (doc: PortalDocument, patch: Partial<Omit<Theme, 'image'>> & { readonly image?: Theme['image'] | undefined }) => {
  const { image, ...rest } = { ...doc.theme, ...patch };
  return { ...doc, theme: image ? { ...rest, image } : rest } satisfies PortalDocument;
};

export const editLink = ({ link: _, ...doc }: PortalDocument, link: string): PortalDocument => (link === '' ? doc : { ...doc, link });

export const withText = (text: Text, lang: 'zh' | 'en', value: string): Text => (lang === 'zh' ? [value, text[1]] : [text[0], value]);

const homes: Partial<Record<BlockKind, BlockKind>> = { banners: 'header', welcome: 'header' };

/** Changes the first block of a kind; a missing one is added, because a setting of the page may need it. */
export const editFirst = <K extends BlockKind>(
  doc: PortalDocument,
  kind: K,
  change: (block: Extract<Block, { kind: K }>) => Block,
): PortalDocument => {
  const home = homes[kind];
  const grown = firstOf(doc, kind) ? doc : addBlock(doc, kind, home && firstOf(doc, home)?.id)?.doc;
  const block = grown && firstOf(grown, kind);
  return grown && block ? editBlock(grown, change(block)) : doc;
};
