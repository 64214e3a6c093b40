/**
 * Canonical form `c1` of a row: values in declared order, each with its length, so that no two rows have the same bytes. Null differs from
 * an empty text. A later form gets another version; stored rows are never hashed again.
 */
export const canonicalVersion = 'c1';

export type CanonicalValue = string | number | Buffer | null;

/** Texts are joined before they become bytes, because each buffer costs more than a long text. */
export const canonical = (name: string, values: readonly CanonicalValue[], prefix = ''): Buffer => {
  let text = `${prefix}${canonicalVersion}\0${name}\0`;
  let before: Buffer[] | undefined;
  for (const value of values) {
    if (value === null) text += 'n;';
    else if (typeof value === 'string') text += `t${Buffer.byteLength(value)}:${value}`;
    else if (typeof value === 'number') {
      const digits = String(value);
      text += `i${digits.length}:${digits}`;
    } else {
      before ??= [];
      before.push(Buffer.from(`${text}b${value.length}:`), value);
      text = '';
    }
  }
  return before ? Buffer.concat([...before, Buffer.from(text)]) : Buffer.from(text);
};
