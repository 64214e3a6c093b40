/** The account that so many places after the first: prefix and number, which keeps its leading zeros and grows where it must. */
export const numbered = (prefix: string, startNo: string, offset: number): string =>
  prefix + String(BigInt(startNo) + BigInt(offset)).padStart(startNo.length, '0');
