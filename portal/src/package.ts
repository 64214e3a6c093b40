import { list, type Of, obj, type Parsed, parse, str } from '@farlink/gateway/protocol/shape.ts';
import { anyBlock, type Block, faultOf, type PortalDocument, themeShape } from './document.ts';

/** `manifest.json` of a template package: a theme, and the blocks that a new portal starts with. */
const manifest = obj({ name: str(40), version: str(20, /^[0-9A-Za-z.-]{1,20}$/), theme: themeShape }, { blocks: list(anyBlock, 40) });
export type Manifest = Of<typeof manifest>;

export const parseManifest = (raw: unknown): Parsed<Manifest> => {
  const parsed = parse(manifest, raw);
  if ('reason' in parsed) return parsed;
  const reason = faultOf(parsed.value.blocks ?? []);
  return reason === undefined ? parsed : { reason };
};

/** A free portal sells nothing. */
export const fitsFree = ({ kind }: Block) => kind !== 'card' && kind !== 'packages';

/** The name of the operator in a header without text. */
const withOperatorName = (block: Block, name: readonly [string, string]): Block =>
  block.kind === 'header' && !block.text[0] && !block.text[1] ? { ...block, text: [name[0].slice(0, 60), name[1].slice(0, 60)] } : block;

/** The first document of a portal that uses a package; `start` is the document of the built-in template. */
export const packageDocument = ({ theme, blocks }: Manifest, builtIn: PortalDocument, billing: 'free' | 'charged'): PortalDocument => ({
  ...builtIn,
  theme,
  blocks: blocks
    ? blocks.filter((block) => billing === 'charged' || fitsFree(block)).map((block) => withOperatorName(block, builtIn.title))
    : builtIn.blocks,
});
