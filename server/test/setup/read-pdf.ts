import { inflateSync } from 'node:zlib';

/** Reads a document by its cross-reference table, and throws if the table and the objects disagree. */
export const readPdf = (bytes: Buffer) => {
  const text = bytes.toString('latin1');
  if (!text.startsWith('%PDF-1.4\n') || !text.endsWith('%%EOF\n')) throw new Error('not a complete PDF');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const table = /^xref\n0 (\d+)\n0000000000 65535 f \n((?:\d{10} 00000 n \n)+)trailer\n<<\/Size (\d+)\/Root 1 0 R>>/.exec(
    text.slice(start),
  );
  if (!table) throw new Error('no cross-reference table at the offset of startxref');
  const offsets = (table[2] ?? '')
    .trimEnd()
    .split('\n')
    .map((row) => Number(row.slice(0, 10)));
  if (Number(table[1]) !== offsets.length + 1 || table[1] !== table[3])
    throw new Error('the cross-reference table does not have its declared length');
  const objects = offsets.map((offset, i) => {
    if (!text.startsWith(`${i + 1} 0 obj\n`, offset)) throw new Error(`object ${i + 1} is not at ${offset}`);
    return text.slice(offset, text.indexOf('\nendobj\n', offset));
  });
  const objectAt = (ref: string | undefined) => objects[Number(ref) - 1] ?? '';
  const contentOf = (page: string) => {
    const object = objectAt(/\/Contents (\d+) 0 R/.exec(page)?.[1]);
    const length = Number(/\/Length (\d+)>>/.exec(object)?.[1]);
    const at = object.indexOf('stream\n') + 7;
    if (object.slice(at + length) !== '\nendstream') throw new Error('a stream does not have its declared length');
    return inflateSync(Buffer.from(object.slice(at, at + length), 'latin1')).toString('latin1');
  };
  const tree = objectAt(/\/Pages (\d+) 0 R/.exec(objectAt('1'))?.[1]);
  const kids = [...(/\/Kids\[([^\]]*)\]/.exec(tree)?.[1] ?? '').matchAll(/(\d+) 0 R/g)].map(([, ref]) => objectAt(ref));
  if (Number(/\/Count (\d+)/.exec(tree)?.[1]) !== kids.length) throw new Error('the page tree does not have its declared number of pages');
  for (const ref of text.matchAll(/(\d+) 0 R/g)) if (objectAt(ref[1]) === '') throw new Error(`no object for ${ref[0]}`);
  return { objects, pages: kids.map((page) => ({ page, content: contentOf(page) })) };
};

const unescaped = (literal: string) => literal.replace(/\\245/g, '¥').replace(/\\([\\()])/g, '$1');
const fromHex = (hex: string) => (hex.match(/.{4}/g) ?? []).map((code) => String.fromCharCode(Number.parseInt(code, 16))).join('');

const shown = /\(((?:\\.|[^\\)])*)\) Tj|<([0-9a-f]*)> Tj/g;

/** Lines of a page in the order of writing. */
export const linesOf = (content: string): string[] =>
  content
    .split('\n')
    .filter((operators) => operators.startsWith('BT '))
    .map((operators) =>
      [...operators.matchAll(shown)].map(([, latin, hex]) => (hex === undefined ? unescaped(latin ?? '') : fromHex(hex))).join(''),
    );
