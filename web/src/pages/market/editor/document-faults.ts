import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { parse } from '@farlink/gateway/protocol/shape.ts';
import { type Block, blockShapes, type PortalDocument, parseDocument } from '@farlink/portal/document.ts';

/** Why a document cannot be saved, at its block and field. */
export interface Fault {
  /** Undefined for the page and its theme. */
  readonly block?: string;
  /** `text[0]`, `images[1].link`, `theme.primary`. */
  readonly field: string;
  readonly text: Text;
}

const texts = {
  address: ['地址须以 http://、https://、tel: 或 mailto: 开头', 'Start the address with http://, https://, tel: or mailto:'],
  color: ['颜色格式为 #RRGGBB', 'Enter a color as #rrggbb'],
  phone: ['只能包含数字、空格、+ 和 -', 'Use digits, spaces, + and - only'],
  fragment: ['请选择模板片段', 'Choose a fragment of the template'],
  long: ['最多{0}个字符', 'At most {0} characters'],
  number: ['请输入{0}到{1}之间的整数', 'Enter a whole number from {0} to {1}'],
  many: ['最多{0}项', 'At most {0} items'],
  once: ['同类区块只能有一个', 'A page has this block only once'],
  other: ['内容无效', 'Invalid value'],
} as const satisfies Record<string, Text>;

const byField: readonly (readonly [RegExp, Text])[] = [
  [/(^|\.)link$/, texts.address],
  [/^theme\.(primary|background)$/, texts.color],
  [/(^|\.)phone$/, texts.phone],
  [/(^|\.)name$/, texts.fragment],
];

/** Numbers of the reason in both languages; a pattern is explained by its field. */
const textOf = (field: string, expected: string): Text => {
  const long = /at most (\d+) characters/.exec(expected);
  if (long?.[1]) return fill(texts.long, long[1]);
  const number = /whole number (\d+)\.\.(\d+)/.exec(expected);
  if (number?.[1] && number[2]) return fill(texts.number, number[1], number[2]);
  const many = /list of at most (\d+)/.exec(expected);
  if (many?.[1]) return fill(texts.many, many[1]);
  if (/at most once|each id once/.test(expected)) return texts.once;
  return byField.find(([pattern]) => pattern.test(field))?.[1] ?? texts.other;
};

const faultOf = (reason: string, block?: string): Fault => {
  const [field = '', ...expected] = reason.split(': ');
  return { ...(block !== undefined && { block }), field, text: textOf(field, expected.join(': ')) };
};

const faultIn = (block: Block): readonly Fault[] => {
  const parsed = parse<Block>(blockShapes[block.kind], block);
  return 'reason' in parsed ? [faultOf(parsed.reason, block.id)] : [];
};

/** The first fault of the page and of each block; the whole document is accepted exactly if there is none. */
export const faultsOf = (doc: PortalDocument): readonly Fault[] => {
  const page = parseDocument({ ...doc, blocks: [] });
  const faults = [...('reason' in page ? [faultOf(page.reason)] : []), ...doc.blocks.flatMap(faultIn)];
  if (faults.length > 0) return faults;
  const result = parseDocument(doc);
  return 'reason' in result ? [faultOf(result.reason)] : [];
};

/** The message at one field of a block, or of the page. */
export const faultAt = (faults: readonly Fault[], block: string | undefined, field: string): Text | undefined =>
  faults.find((fault) => fault.block === block && fault.field === field)?.text;
