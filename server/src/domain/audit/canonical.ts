/**
 * Canonical form `c1` of a row: values in declared order, each with its length, so that no two rows have the same bytes. Null differs from
 * an empty text. A later form gets another version; stored rows are never hashed again.
 */
export const canonicalVersion = 'c1';

export type CanonicalValue = string | number | Buffer | null;

type Length = (text: string) => number;
const inBytes: Length = (text) => Buffer.byteLength(text);
const inCharacters: Length = (text) => text.length;

/** Texts are joined before they become bytes, because each buffer costs more than a long text. */
const encode = (start: string, values: readonly CanonicalValue[], lengthOf: Length) => {
  let text = start;
  let characters = 0;
  let before: Buffer[] | undefined;
  for (const value of values) {
    if (value === null) text += 'n;';
    else if (typeof value === 'string') text += `t${lengthOf(value)}:${value}`;
    else if (typeof value === 'number') {
      const digits = String(value);
      text += `i${digits.length}:${digits}`;
    } else {
      text += `b${value.length}:`;
      characters += text.length + value.length;
      before ??= [];
      before.push(Buffer.from(text), value);
      text = '';
    }
  }
  characters += text.length;
  const bytes = before ? Buffer.concat([...before, Buffer.from(text)]) : Buffer.from(text);
  return { bytes, isAscii: bytes.length === characters };
};

/** Most rows are ASCII, where a character is a byte; counting bytes is needed for the others only. */
export const canonical = (name: string, values: readonly CanonicalValue[], prefix = ''): Buffer => {
  const start = `${prefix}${canonicalVersion}\0${name}\0`;
  const { bytes, isAscii } = encode(start, values, inCharacters);
  return isAscii ? bytes : encode(start, values, inBytes).bytes;
};
