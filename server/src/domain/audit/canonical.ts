/**
 * Canonical form `c1` of a row: values in declared order, each with its length, so that no two rows have the same bytes. Null differs from
 * an empty text. A later form gets another version; stored rows are never hashed again.
 */
export const canonicalVersion = 'c1';

export type CanonicalValue = string | number | Buffer | null;

const part = (value: CanonicalValue): Buffer => {
  if (value === null) return Buffer.from('n;');
  const [mark, bytes] = Buffer.isBuffer(value)
    ? ['b', value]
    : typeof value === 'number'
      ? ['i', Buffer.from(String(value))]
      : ['t', Buffer.from(value)];
  return Buffer.concat([Buffer.from(`${mark}${bytes.length}:`), bytes]);
};

export const canonical = (name: string, values: readonly CanonicalValue[]): Buffer =>
  Buffer.concat([Buffer.from(`${canonicalVersion}\0${name}\0`), ...values.map(part)]);
