import type { Text } from '@farlink/contract/kit/text.ts';
import { isAddress, type PortalImage } from '@farlink/portal/document.ts';
import { escapeHtml } from '@farlink/portal/template.ts';
import { type DefaultTreeAdapterTypes, html, parseFragment } from 'parse5';
import { PackageFault } from './package-fault.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** An image of the package by its name in the archive. */
export type ImageOf = (name: string) => PortalImage | undefined;

const containers = new Set([
  ...['div', 'section', 'p', 'span', 'strong', 'em', 'b', 'i', 'small', 'ul', 'ol', 'li', 'h2', 'h3', 'h4', 'a', 'figure', 'figcaption'],
  ...['blockquote', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'time', 'sup', 'sub'],
]);
const single = new Set(['br', 'hr', 'img']);

const patterns: Readonly<Record<string, RegExp>> = {
  class: /^[A-Za-z][\w-]*( [A-Za-z][\w-]*)*$/,
  lang: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  dir: /^(ltr|rtl|auto)$/,
  title: /^[^\p{Cc}]{0,200}$/u,
  alt: /^[^\p{Cc}]{0,200}$/u,
  colspan: /^[1-9]\d?$/,
  rowspan: /^[1-9]\d?$/,
};
const everywhere = ['class', 'lang', 'dir', 'title'];
const special: Readonly<Record<string, readonly string[]>> = { img: ['alt'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] };

/** Deeper nesting has no use, and the walk is recursive. */
const maxDepth = 32;

const forbidden = (what: string): Text => [`不允许使用 ${what}`, `${what} is not allowed`];
const shown = (value: string) => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);

interface Writer {
  readonly file: string;
  readonly imageOf: ImageOf;
}

const lineOf = (node: Node) => node.sourceCodeLocation?.startLine;

const attribute = (file: string, element: Element, name: string, value: string): string => {
  const allowed = [...everywhere, ...(special[element.tagName] ?? [])];
  const pattern = patterns[name];
  if (!allowed.includes(name) || !pattern) throw new PackageFault(file, lineOf(element), forbidden(`<${element.tagName} ${name}>`));
  if (!pattern.test(value)) throw new PackageFault(file, lineOf(element), forbidden(`${name}=${shown(value)}`));
  return ` ${name}="${escapeHtml(value)}"`;
};

const link = (file: string, element: Element, href: string): string => {
  if (href === '' || !isAddress(href)) throw new PackageFault(file, lineOf(element), forbidden(`href=${shown(href)}`));
  return ` href="${escapeHtml(href)}" rel="noopener"`;
};

/** The only placeholder in a fragment is the base of the images. */
const source = ({ file, imageOf }: Writer, element: Element, src: string): string => {
  const image = imageOf(src.replace(/^(\.\.\/|\.\/)/, ''));
  if (!image)
    throw new PackageFault(file, lineOf(element), [
      `图片 ${shown(src)} 不在模板包的 images 目录中`,
      `image ${shown(src)} is not in the folder images of the package`,
    ]);
  return ` src="{{root}}img/${image.sha256}.${image.ext}" width="${image.width}" height="${image.height}"`;
};

const attributes = (writer: Writer, element: Element): string => {
  const { tagName, attrs } = element;
  let out = '';
  for (const { name, value, prefix } of attrs) {
    if (prefix !== undefined && prefix !== '') throw new PackageFault(writer.file, lineOf(element), forbidden(`<${tagName} ${name}>`));
    if (tagName === 'a' && name === 'href') out += link(writer.file, element, value);
    else if (tagName === 'img' && name === 'src') out += source(writer, element, value);
    // The size of an image is that of its file.
    else if (tagName !== 'img' || (name !== 'width' && name !== 'height')) out += attribute(writer.file, element, name, value);
  }
  if (tagName !== 'img') return out;
  if (!attrs.some(({ name }) => name === 'src')) throw new PackageFault(writer.file, lineOf(element), forbidden('<img> without src'));
  return attrs.some(({ name }) => name === 'alt') ? out : `${out} alt=""`;
};

const write = (writer: Writer, node: Node, depth: number): string => {
  if (node.nodeName === '#text' && 'value' in node) return escapeHtml(node.value);
  if (node.nodeName === '#comment') return '';
  if (!('tagName' in node) || node.namespaceURI !== html.NS.HTML)
    throw new PackageFault(writer.file, lineOf(node), forbidden(`<${node.nodeName}>`));
  const { tagName } = node;
  if (!containers.has(tagName) && !single.has(tagName)) throw new PackageFault(writer.file, lineOf(node), forbidden(`<${tagName}>`));
  if (depth > maxDepth)
    throw new PackageFault(writer.file, lineOf(node), [`嵌套超过${maxDepth}层`, `more than ${maxDepth} levels of nesting`]);
  const opened = `<${tagName}${attributes(writer, node)}>`;
  if (single.has(tagName)) return opened;
  return `${opened}${node.childNodes.map((child) => write(writer, child, depth + 1)).join('')}</${tagName}>`;
};

/**
 * Checks an HTML fragment of a template package and writes it again from the parsed tree, so no byte of the author is served. Braces are
 * escaped, so the author cannot add placeholders.
 */
export const checkHtml = (file: string, text: string, imageOf: ImageOf): string => {
  const faults: { readonly code: string; readonly line: number }[] = [];
  const tree = parseFragment(text, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine }) => faults.push({ code, line: startLine }),
  });
  const out = tree.childNodes.map((node) => write({ file, imageOf }, node, 1)).join('');
  // Ambiguous tags and attributes are refused; wrong nesting is repaired by the parser.
  const [fault] = faults;
  if (fault) throw new PackageFault(file, fault.line, [`HTML 语法错误（${fault.code}）`, `HTML syntax error (${fault.code})`]);
  return out;
};
