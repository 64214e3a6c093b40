/** The account with this offset in a sequence: prefix and number. Leading zeros are kept, and the number can get longer. */
export const numberedAccount = (prefix: string, startNo: string, offset: number): string =>
  prefix + String(BigInt(startNo) + BigInt(offset)).padStart(startNo.length, '0');
