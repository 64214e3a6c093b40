import { limits } from '@farlink/contract/limits.ts';
import { rules } from '@farlink/contract/rules.ts';
import { expect, test } from 'vitest';
import { parseXml } from '../../../test/setup/unzip.ts';
import { drawn, glyphs } from './captcha-font.ts';
import { newCaptcha } from './draw-captcha.ts';

const env = { passwordRule: { password_rule_range: '6-18', password_rule_special: '', password_rule_complex: '110' } } as const;

test('an answer has four letters or digits, without characters that look alike', () => {
  const replies = Array.from({ length: 300 }, () => newCaptcha().answer);
  expect(replies.every((a) => a.length === limits.captchaLength && rules.captcha.test(a, {}, env))).toBe(true);
  expect(replies.join('')).not.toMatch(/[0O1IL2Z5SBGQUVF]/);
  expect(new Set(replies).size).toBeGreaterThan(290);
  expect(new Set(replies.join('')).size).toBe(drawn.length);
});

test('the image is well-formed SVG and consists only of short lines', () => {
  const { answer, svg } = newCaptcha();
  const [background, lines, ...rest] = parseXml(svg).children;
  expect([background?.name, lines?.name, rest.length]).toEqual(['rect', 'g', 0]);
  expect(lines?.children.length).toBeGreaterThan(15);
  for (const path of lines?.children ?? []) {
    expect(Object.keys(path.attributes)).toEqual(['d', 'stroke-width']);
    expect(path.attributes.d).toMatch(/^M-?[\d.]+ -?[\d.]+(L-?[\d.]+ -?[\d.]+){1,6}$/);
  }
  expect(svg).not.toContain(answer);
  expect(svg.length).toBeLessThan(8192);
});

test('the same letters are never drawn the same way', () => {
  const lines = (svg: string) => new Set(svg.match(/d="[^"]+"/g));
  const first = lines(newCaptcha('AAAA').svg);
  const second = lines(newCaptcha('AAAA').svg);
  expect([...first].filter((d) => second.has(d))).toEqual([]);
});

test('every letter and digit can be drawn, because a setting may fix the answer', () => {
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')
    expect(glyphs[letter]).toMatch(/^~?[0-4][0-6]( [0-4][0-6])+(\|~?[0-4][0-6]( [0-4][0-6])+)*$/);
  expect(newCaptcha('a0Z9').answer).toBe('a0Z9');
});
