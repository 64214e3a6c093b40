/** Types of identity documents. */
export const idType = [
  { id: 'id_card', label: ['居民身份证', 'ID card'] },
  { id: 'passport', label: ['护照', 'Passport'] },
  { id: 'seafarer', label: ['海员证', "Seafarer's book"] },
] as const;
export type IdType = (typeof idType)[number]['id'];

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** GB 11643-1999: ISO 7064 MOD 11-2 over the first 17 digits. */
const checkDigit = (digits: string) => '10X98765432'[weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11];

const isPastDay = (text: string, now: number) => {
  const [, y, m, d] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const day = new Date(Date.UTC(Number(y), Number(m) - 1, Number(d)));
  return Number(y) >= 1900 && day.getUTCMonth() === Number(m) - 1 && day.getUTCDate() === Number(d) && day.getTime() / 1000 <= now;
};

/** A mainland ID card number: 18 characters with date and check digit, or the old 15 digits with a date of the 20th century. */
export const isIdCardNumber = (value: string, now = Date.now() / 1000): boolean => {
  if (/^\d{15}$/.test(value)) return isPastDay(`19${value.slice(6, 12)}`, now);
  return /^\d{17}[\dXx]$/.test(value) && isPastDay(value.slice(6, 14), now) && checkDigit(value) === value.slice(17).toUpperCase();
};

/** A number of another document. Formats differ by country, so only characters and length are checked. */
export const isDocumentNumber = (value: string): boolean => /^[A-Za-z0-9]{5,20}$/.test(value);

export const isOtherDocument = (type: unknown): boolean => type === 'passport' || type === 'seafarer';
