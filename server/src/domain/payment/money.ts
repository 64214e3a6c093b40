/** Converts '12.34' to 1234 by text, without floating point. */
export const toCents = (amount: string): number => {
  if (!/^\d{1,11}\.\d{2}$/.test(amount)) throw new RangeError(`not an amount with two decimals: ${amount}`);
  return Number(amount.replace('.', ''));
};

export const fromCents = (cents: number): string => {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError(`not an amount in cents: ${cents}`);
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
