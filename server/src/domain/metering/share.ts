/** `total × part ÷ whole`, rounded down. A terabyte times a day is past the safe integers, so the product is a bigint. */
export const share = (total: number, part: number, whole: number): number => {
  const product = total * part;
  return Number.isSafeInteger(product) ? Math.floor(product / whole) : Number((BigInt(total) * BigInt(part)) / BigInt(whole));
};
