import { describe, expect, it } from 'vitest';
import { type Complexity, type PasswordRule, passwordFits, passwordHint, passwordRefusal, rangeOf } from './password-rule.ts';
import { Random } from './random.ts';

/** Second implementation of spec §5, by counting characters. */
const allowed = (password: string, { password_rule_range, password_rule_special, password_rule_complex }: PasswordRule): boolean => {
  const [low, high] = password_rule_range.split('-');
  const count = { upper: 0, lower: 0, digit: 0, special: 0, foreign: 0 };
  let length = 0;
  for (const character of password) {
    length++;
    if ('ABCDEFGHIJKLMNOPQRSTUVWXYZ'.includes(character)) count.upper++;
    else if ('abcdefghijklmnopqrstuvwxyz'.includes(character)) count.lower++;
    else if ('0123456789'.includes(character)) count.digit++;
    else if (password_rule_special.split('').includes(character)) count.special++;
    else count.foreign++;
  }
  if (count.foreign > 0 || length < Number(low) || length > Number(high)) return false;
  const letters = count.upper + count.lower;
  const kinds = Number(count.upper > 0) + Number(count.lower > 0) + Number(count.digit > 0);
  const results: Record<Complexity, boolean> = {
    '110': count.special === 0 && kinds >= 2,
    '112': letters > 0 && count.digit > 0,
    '101': count.special > 0 && letters + count.digit > 0,
    '011': count.special > 0 && letters > 0,
    '111': count.special > 0 && kinds === 3,
  };
  return results[password_rule_complex];
};

const alphabets = ['ABCXYZ', 'abcxyz', '0123456789', '!@#$%', '~;{ 中é😀'];
const specials = ['', '!@#$%', '!@#$%', '!', '!@#$%^&*_-', '.\\]['];

const generate = (random: Random) => {
  const pick = <T>(from: readonly T[], otherwise: T): T => from[random.below(from.length)] ?? otherwise;
  const min = 1 + random.below(10);
  const rule = {
    password_rule_range: `${min}-${min + 1 + random.below(10)}`,
    password_rule_special: pick(specials, ''),
  };
  // Few alphabets at a time; otherwise nearly all passwords would be refused for the rarest one.
  const used = alphabets.slice(0, 4).filter(() => random.chance(0.75));
  if (random.chance(0.05)) used.push(alphabets[4] ?? '');
  const length = random.below(min + 14);
  const password = Array.from({ length }, () => pick([...pick(used, 'a')], 'a')).join('');
  return { rule, password };
};

describe.each(['110', '112', '101', '011', '111'] as const)('complexity %s', (password_rule_complex) => {
  it('accepts and refuses 20,000 generated passwords as the specification requires', () => {
    const random = new Random(Number(password_rule_complex));
    const results = { yes: 0, no: 0 };
    for (let i = 0; i < 20_000; i++) {
      const { rule, password } = generate(random);
      const whole: PasswordRule = { ...rule, password_rule_complex };
      const isAllowed = passwordFits(password, whole);
      results[isAllowed ? 'yes' : 'no']++;
      if (isAllowed !== allowed(password, whole)) expect({ password, whole, isAllowed }).toBe('as the specification says');
    }
    // Both results must occur often enough.
    expect(Math.min(results.yes, results.no)).toBeGreaterThan(500);
  });

  it('shows its range and, if required, its special characters', () => {
    const rule: PasswordRule = { password_rule_range: '8-16', password_rule_special: '!@', password_rule_complex };
    expect(rangeOf(rule)).toEqual([8, 16]);
    const [zh, en] = passwordHint(rule);
    expect(zh).toContain('8-16');
    expect(en).toContain('8-16');
    expect(zh.includes('!@')).toBe(password_rule_complex !== '110');
  });
});

describe('a refusal names each part that fails, and the rule', () => {
  const refusal = (password: string, password_rule_complex: Complexity) => {
    const rule = { password_rule_range: '6-18', password_rule_special: '!@', password_rule_complex };
    const [zh, en] = passwordRefusal(password, rule);
    const [zhHint, enHint] = passwordHint(rule);
    expect([zh.endsWith(`（${zhHint}）`), en.endsWith(` (${enHint})`)]).toEqual([true, true]);
    return [zh.slice(0, -zhHint.length - 2), en.slice(0, -enHint.length - 3)];
  };

  it.each([
    ['110', '1234567', '不能为纯数字', 'Not only digits'],
    ['110', 'abcdefg', '须再包含数字或另一种大小写的字母', 'Add digits or letters of the other case'],
    ['110', 'Abc123!', '不能包含 !', 'Do not use !'],
    ['110', '12_34', '长度须为6-18个字符、不能包含 _、不能为纯数字', 'Use 6-18 characters, do not use _, not only digits'],
    ['112', 'abcdef!', '须包含数字', 'Must contain digits'],
    ['112', '123456!', '须包含字母', 'Must contain letters'],
    ['101', '!!!!!!', '须包含字母或数字', 'Must contain letters or digits'],
    ['011', '123456', '不能为纯数字、须包含特殊字符（!@）', 'Not only digits, must contain special characters (!@)'],
    ['111', 'abcdef1', '须包含大写字母、须包含特殊字符（!@）', 'Must contain upper case, must contain special characters (!@)'],
  ] as const)('%s: %s', (complex, password, zh, en) => {
    expect(refusal(password, complex)).toEqual([zh, en]);
  });
});
