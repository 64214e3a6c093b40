import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** All files of a zip by name. It reads the local headers through the central directory, as Excel does. */
export const unzip = (file: string | Buffer): Record<string, string> => {
  const bytes = typeof file === 'string' ? readFileSync(file) : file;
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = bytes.readUInt32LE(end + 16);
  const files: Record<string, string> = {};
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    const name = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28));
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    files[name] = (bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : data).toString('utf8');
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
};

export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  text: string;
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decode = (raw: string) => {
  if (/[<]|&(?!(amp|lt|gt|quot|apos);)/.test(raw)) throw new Error(`bare < or & in ${JSON.stringify(raw)}`);
  return raw.replace(/&(\w+);/g, (_, name: string) => named[name] ?? '');
};

/** Parses the XML that we write, and throws if it is not well-formed. */
export const parseXml = (xml: string): XmlNode => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml) || !xml.isWellFormed()) throw new Error('forbidden character');
  const root: XmlNode = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const body = xml.replace(/^<\?xml [^?]*\?>\s*/, '');
  const tag = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/y;
  for (let at = 0; at < body.length; ) {
    const top = stack.at(-1) ?? root;
    const next = body.indexOf('<', at);
    const text = decode(body.slice(at, next < 0 ? body.length : next));
    if (stack.length === 1 && text.trim() !== '') throw new Error('text outside the root');
    top.text += text;
    if (next < 0) break;
    tag.lastIndex = next;
    const found = tag.exec(body);
    if (!found) throw new Error(`not a tag: ${body.slice(next, next + 60)}`);
    const [whole, closing, name = '', attributes = '', empty] = found;
    at = next + whole.length;
    if (closing) {
      if (stack.pop()?.name !== name) throw new Error(`unexpected </${name}>`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)].map((m): [string, string] => [m[1] ?? '', decode(m[2] ?? '')]);
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`attribute twice in <${name}>`);
    const node: XmlNode = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
    top.children.push(node);
    if (!empty) stack.push(node);
  }
  const [only, ...more] = root.children;
  if (stack.length !== 1 || !only || more.length > 0) throw new Error('not one whole element');
  return only;
};
