/** Exact money: a string of yuan with two decimals on the wire and in the database, integer cents in calculations. */
export const cents = (yuan: string): bigint => {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(yuan);
  if (!match) throw new RangeError(`not an amount of money: ${yuan}`);
  const [, sign, whole = '0', rest = ''] = match;
  const amount = BigInt(whole) * 100n + BigInt(rest.padEnd(2, '0'));
  return sign === '-' ? -amount : amount;
};

export const yuan = (amount: bigint): string => {
  const size = amount < 0n ? -amount : amount;
  return `${amount < 0n ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
};

/** A formatted amount: `¥1,234.50`. */
export const priceText = (amount: string | bigint): string => {
  const [, sign = '', whole = '', rest = ''] =
    /^(-?)(\d+)(\.\d\d)$/.exec(typeof amount === 'bigint' ? yuan(amount) : yuan(cents(amount))) ?? [];
  return `${sign}¥${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
};

/** `part` of `whole` equal shares of an amount, rounded down to the cent. */
export const shareOf = (amount: bigint, part: bigint, whole: bigint): bigint => (whole === 0n ? 0n : (amount * part) / whole);
