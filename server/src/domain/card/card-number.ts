import { randomBytes } from 'node:crypto';

/**
 * A card number has 16 digits: layout version, 14 random digits and a Luhn check digit. Luhn detects every wrong digit and every swap of
 * neighbours except 09 and 90. A password has 16 letters and digits without look-alikes.
 */
const version = '1';
const randomDigitCount = 14;
const space = 10 ** randomDigitCount;
const randomByteCount = 6;
/** Multiple of the number space that fits into the bytes. Higher values are rejected, so that all numbers are equally likely. */
const numberBound = Math.floor(256 ** randomByteCount / space) * space;

const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const passwordLength = 16;
const byteBound = Math.floor(256 / alphabet.length) * alphabet.length;

/** Random bytes are fetched in blocks, because one system call per value would dominate the cost. */
const randomSource = () => {
  let bytes = Buffer.alloc(0);
  let at = 0;
  return (size: number): number => {
    if (at + size > bytes.length) [bytes, at] = [randomBytes(16_384), 0];
    at += size;
    return bytes.readUIntBE(at - size, size);
  };
};

const luhn = (digits: string): number => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
};

/** Detects mistyped numbers without a query. */
export const isCardNumber = (number: string): boolean =>
  /^\d{16}$/.test(number) && number.startsWith(version) && luhn(number.slice(0, -1)) === Number(number.at(-1));

export interface CardSecret {
  readonly number: string;
  readonly password: string;
}

/** Creates cards with distinct numbers. */
export const newCards = (count: number): CardSecret[] => {
  const random = randomSource();
  const below = (bytes: number, bound: number) => {
    for (;;) {
      const value = random(bytes);
      if (value < bound) return value;
    }
  };
  const number = () => {
    const body = version + String(below(randomByteCount, numberBound) % space).padStart(randomDigitCount, '0');
    return body + luhn(body);
  };
  const password = () => Array.from({ length: passwordLength }, () => alphabet[below(1, byteBound) % alphabet.length]).join('');
  const cards = new Map<string, string>();
  while (cards.size < count) cards.set(number(), password());
  return [...cards].map(([number, password]) => ({ number, password }));
};

/** Normalizes typed input: groups and lower case. */
export const plainCard = ({ number, password }: CardSecret): CardSecret => ({
  number: number.replace(/[\s-]/g, ''),
  password: password.replace(/[\s-]/g, '').toUpperCase(),
});
