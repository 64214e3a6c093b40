import { describe, expect, it } from 'vitest';
import { isCardNumber, newCards, plainCard } from './card-number.ts';

const cards = newCards(50_000);

describe('a card number', () => {
  it('has sixteen digits with a valid check digit, and is unique among fifty thousand', () => {
    for (const { number } of cards) if (!/^1\d{15}$/.test(number) || !isCardNumber(number)) throw new Error(number);
    expect(new Set(cards.map((c) => c.number)).size).toBe(50_000);
  });

  it('is invalid with any single wrong digit', () => {
    for (const { number } of cards.slice(0, 200))
      for (let at = 0; at < 16; at++)
        for (let digit = 0; digit <= 9; digit++) {
          const wrong = number.slice(0, at) + digit + number.slice(at + 1);
          expect(isCardNumber(wrong), `${number} ${wrong}`).toBe(wrong === number);
        }
  });

  it('is invalid with two exchanged digits, except 09 and 90', () => {
    for (const { number } of cards.slice(0, 2000))
      for (let at = 0; at < 15; at++) {
        const [one = '', two = ''] = number.slice(at, at + 2);
        // The first digit is the version, so a swap of it is always detected.
        if (one === two || (at > 0 && ['09', '90'].includes(one + two))) continue;
        const wrong = number.slice(0, at) + two + one + number.slice(at + 2);
        expect(isCardNumber(wrong), `${number} ${wrong}`).toBe(false);
      }
  });

  it('cannot have another length, letters or full-width digits', () => {
    for (const text of ['', '1', 'abcdefghijklmnop', `${cards[0]?.number}0`, '２'.repeat(16)]) expect(isCardNumber(text)).toBe(false);
  });

  it('uses every digit in every position about equally often', () => {
    for (let at = 1; at < 15; at++) {
      const counts = Map.groupBy(cards, (c) => c.number[at] ?? '');
      for (const [digit, of] of counts) expect(Math.abs(of.length - 5000), `${digit} at ${at}`).toBeLessThan(500);
    }
  });
});

describe('a card password', () => {
  it('has sixteen characters that do not look alike, and is unique among fifty thousand', () => {
    for (const { password } of cards) if (!/^[A-HJKMNP-Z2-9]{16}$/.test(password)) throw new Error(password);
    expect(new Set(cards.map((c) => c.password)).size).toBe(50_000);
  });

  it('uses every character about equally often', () => {
    const counts = new Map<string, number>();
    for (const { password } of cards) for (const char of password) counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(counts.size).toBe(31);
    const mean = (50_000 * 16) / 31;
    for (const [char, n] of counts) expect(Math.abs(n - mean) / mean, char).toBeLessThan(0.05);
  });
});

it('a card may be typed in groups and in lower case', () => {
  expect(plainCard({ number: '1234 5678-9012 3456', password: 'abcd efgh-jkmn pqrs' })).toEqual({
    number: '1234567890123456',
    password: 'ABCDEFGHJKMNPQRS',
  });
});
