import type { Text } from '@farlink/contract/kit/text.ts';
import { type CssNode, generate, parse, tokenize, tokenTypes, walk } from 'css-tree';
import { type HrefOf, PackageFault } from './package-fault.ts';

/** Everything outside these lists is refused. No property moves a box out of the flow, so nothing can cover the login. */
const properties = new Set([
  ...['color', 'background', 'background-color', 'background-image', 'background-position', 'background-repeat', 'background-size'],
  ...['background-clip', 'background-origin', 'border', 'border-color', 'border-style', 'border-width', 'border-radius', 'border-spacing'],
  ...['border-collapse', 'border-top', 'border-right', 'border-bottom', 'border-left', 'border-top-color', 'border-right-color'],
  ...['border-bottom-color', 'border-left-color', 'border-top-width', 'border-right-width', 'border-bottom-width', 'border-left-width'],
  ...['border-top-style', 'border-right-style', 'border-bottom-style', 'border-left-style', 'border-top-left-radius'],
  ...['border-top-right-radius', 'border-bottom-left-radius', 'border-bottom-right-radius', 'box-shadow', 'outline-color'],
  ...['margin', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left', 'margin-inline', 'margin-block'],
  ...['padding', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left', 'padding-inline', 'padding-block'],
  ...['width', 'min-width', 'max-width', 'height', 'min-height', 'max-height', 'aspect-ratio', 'object-fit', 'object-position'],
  ...['display', 'flex', 'flex-direction', 'flex-wrap', 'flex-flow', 'flex-grow', 'flex-shrink', 'flex-basis', 'order', 'gap', 'row-gap'],
  ...['column-gap', 'grid-template-columns', 'grid-template-rows', 'align-items', 'align-content', 'align-self', 'justify-content'],
  ...['justify-items', 'justify-self', 'place-items', 'place-content', 'vertical-align'],
  ...['font-size', 'font-weight', 'font-style', 'font-family', 'font-variant', 'line-height', 'letter-spacing', 'word-spacing'],
  ...['text-align', 'text-decoration', 'text-decoration-color', 'text-transform', 'text-indent', 'text-shadow', 'text-overflow'],
  ...['white-space', 'word-break', 'overflow-wrap', 'hyphens', 'list-style', 'list-style-type', 'list-style-position', 'opacity'],
  ...['transition', 'transition-property', 'transition-duration', 'accent-color', 'caret-color', 'content'],
]);

const functions = new Set([
  ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color-mix', 'var', 'calc', 'min', 'max', 'clamp'],
  ...['linear-gradient', 'radial-gradient', 'conic-gradient', 'repeating-linear-gradient', 'repeating-radial-gradient'],
  ...['repeat', 'minmax', 'fit-content', 'cubic-bezier'],
]);

const atRules = new Set(['media', 'supports']);

const pseudoClasses = new Set([
  ...['root', 'hover', 'focus', 'focus-visible', 'focus-within', 'active', 'link', 'disabled', 'checked', 'first-child', 'last-child'],
  ...['nth-child', 'first-of-type', 'last-of-type', 'nth-of-type', 'only-child', 'not', 'is', 'where', 'empty'],
]);
const pseudoElements = new Set(['before', 'after', 'placeholder', 'marker', 'first-line', 'first-letter']);

/** Kinds of nodes that need no check of their own. */
const plain = new Set<CssNode['type']>([
  'StyleSheet',
  'Rule',
  'SelectorList',
  'Selector',
  'TypeSelector',
  'ClassSelector',
  'Combinator',
  'Nth',
  'AnPlusB',
  'Identifier',
  'Block',
  'Value',
  'Dimension',
  'Percentage',
  'Number',
  'Hash',
  'Parentheses',
  'Operator',
  'String',
  'AtrulePrelude',
  'MediaQueryList',
  'MediaQuery',
  'Condition',
  'Feature',
  'FeatureRange',
  'Ratio',
  'SupportsDeclaration',
  'WhiteSpace',
  'Comment',
]);

const forbidden = (what: string): Text => [`不允许使用 ${what}`, `${what} is not allowed`];
const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Names of our own theme values may be set; other custom properties are fine too, because `var` inserts only checked values. */
const isCustom = (property: string) => /^--[A-Za-z][\w-]*$/.test(property);

const isNegative = (node: CssNode): boolean => {
  let found = false;
  walk(node, (one) => {
    if ((one.type === 'Number' || one.type === 'Dimension' || one.type === 'Percentage') && one.value.startsWith('-')) found = true;
    // A sum could be negative without a minus sign at its numbers.
    if (one.type === 'Function' && one.name.toLowerCase() !== 'var') found = true;
  });
  return found;
};

const containsOnly = (node: CssNode, types: readonly CssNode['type'][], keywords: readonly string[]): boolean => {
  let fits = true;
  walk(node, (one) => {
    if (one === node) return;
    if (!types.includes(one.type) || (one.type === 'Identifier' && !keywords.includes(one.name.toLowerCase()))) fits = false;
  });
  return fits;
};

/** Why a declaration is refused. */
const declarationFault = (property: string, value: CssNode): Text | undefined => {
  if (isCustom(property)) return undefined;
  const name = property.toLowerCase();
  if (!properties.has(name)) return forbidden(name);
  // Blocks are hidden in the document, where operators see it.
  if (name === 'display' && /\b(none|contents)\b/i.test(generate(value))) return forbidden(`display: ${shown(generate(value))}`);
  if (name.startsWith('margin') && isNegative(value)) return ['外边距不能为负或计算值', 'a margin must not be negative or computed'];
  if (name === 'content' && !containsOnly(value, ['String', 'Identifier'], ['none', 'normal'])) return forbidden('content');
  return undefined;
};

/** Faults by kind of node; undefined if the node is fine. */
const nodeFault = (node: CssNode): Text | undefined => {
  switch (node.type) {
    case 'Atrule':
      return atRules.has(node.name.toLowerCase()) ? undefined : forbidden(`@${node.name}`);
    case 'Declaration':
      return declarationFault(node.property, node.value);
    case 'Function':
      return functions.has(node.name.toLowerCase()) ? undefined : forbidden(`${node.name}()`);
    case 'PseudoClassSelector':
      return pseudoClasses.has(node.name.toLowerCase()) ? undefined : forbidden(`:${node.name}`);
    case 'PseudoElementSelector':
      return pseudoElements.has(node.name.toLowerCase()) ? undefined : forbidden(`::${node.name}`);
    case 'AttributeSelector':
      return ['不允许使用属性选择器', 'attribute selectors are not allowed'];
    case 'Url':
      return undefined;
    default:
      return plain.has(node.type) ? undefined : forbidden(shown(generate(node)) || node.type);
  }
};

const { LeftParenthesis, RightParenthesis, LeftSquareBracket, RightSquareBracket, LeftCurlyBracket, RightCurlyBracket } = tokenTypes;
const closing = new Map([
  [tokenTypes.Function, RightParenthesis],
  [LeftParenthesis, RightParenthesis],
  [LeftSquareBracket, RightSquareBracket],
  [LeftCurlyBracket, RightCurlyBracket],
]);
const isClosing = new Set(closing.values());

/** The parser can loop forever at a bracket that closes nothing, because it reads what an earlier style sheet left in its buffers. */
const refuseStrayBracket = (file: string, text: string) => {
  const open: number[] = [];
  tokenize(text, (type, start) => {
    const closer = closing.get(type);
    if (closer !== undefined) open.push(closer);
    if (!isClosing.has(type) || open.pop() === type) return;
    const line = text.slice(0, start).split('\n').length;
    throw new PackageFault(file, line, ['括号不成对', 'the brackets are not balanced']);
  });
};

/**
 * Checks the style sheet of a template package and writes it again from the parsed tree. Only images of the package are loaded, and no
 * selector depends on a value, so it cannot send what a subscriber types.
 */
export const checkCss = (file: string, text: string, hrefOf: HrefOf): string => {
  refuseStrayBracket(file, text);
  const tree = parse(text, {
    positions: true,
    parseCustomProperty: true,
    parseAtrulePrelude: true,
    onParseError: (error) => {
      throw new PackageFault(file, lineIn(error), [`CSS 语法错误（${error.message}）`, `CSS syntax error (${error.message})`]);
    },
  });
  walk(tree, (node, item, list) => {
    const fault = nodeFault(node);
    if (fault) throw new PackageFault(file, node.loc?.start.line, fault);
    if (node.type === 'Comment') list?.remove(item);
    if (node.type === 'Url') {
      const href = hrefOf(node.value.replace(/^(\.\.\/|\.\/)/, ''));
      if (href === undefined) throw new PackageFault(file, node.loc?.start.line, forbidden(`url(${shown(node.value)})`));
      node.value = href;
    }
  });
  return generate(tree);
};

const lineIn = (error: object): number | undefined => ('line' in error && typeof error.line === 'number' ? error.line : undefined);
