/** `total × portion ÷ whole`, rounded down. A terabyte times a day exceeds the safe integers, so the product is a bigint. */
export const shareOf = (total: number, portion: number, whole: number): number => {
  const product = total * portion;
  return Number.isSafeInteger(product) ? Math.floor(product / whole) : Number((BigInt(total) * BigInt(portion)) / BigInt(whole));
};
