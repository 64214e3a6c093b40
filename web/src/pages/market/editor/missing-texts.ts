import type { Lang, Text } from '@farlink/contract/kit/text.ts';
import type { Block, PortalDocument } from '@farlink/portal/document.ts';

/** A text that one language has and the other lacks. */
export interface MissingText {
  /** Undefined for the page title. */
  readonly block?: string;
  /** Path inside the block: `text`, `images[0].alt`. */
  readonly field: string;
  readonly lang: Lang;
}

const textsOf = (block: Block): readonly (readonly [field: string, text: Text])[] => [
  ...(block.heading ? [['heading', block.heading] as const] : []),
  ...('text' in block ? [['text', block.text] as const] : []),
  ...('images' in block ? block.images.map(({ alt }, i) => [`images[${i}].alt`, alt] as const) : []),
];

const lacks = ([zh, en]: Text): Lang | undefined => {
  if (zh.trim() === '' && en.trim() === '') return undefined;
  if (zh.trim() === '') return 'zh';
  return en.trim() === '' ? 'en' : undefined;
};

export const missingIn = (block: Block): readonly MissingText[] =>
  textsOf(block).flatMap(([field, text]) => {
    const lang = lacks(text);
    return lang ? [{ block: block.id, field, lang }] : [];
  });

/** Hidden blocks do not count. */
export const missingTexts = (doc: PortalDocument): readonly MissingText[] => {
  const title = lacks(doc.title);
  return [...(title ? [{ field: 'title', lang: title }] : []), ...doc.blocks.filter(({ hidden }) => !hidden).flatMap(missingIn)];
};
