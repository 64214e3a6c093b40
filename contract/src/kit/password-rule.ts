import { fill, lengthOf, type Text } from './text.ts';

/** spec §5: range, special characters and complexity come from the settings. */
/** Letters, digits and special characters: 0 none, 1 required (some of them), 2 optional. */
export type Complexity = '110' | '112' | '101' | '011' | '111';
export interface PasswordRule {
  readonly password_rule_range: string;
  readonly password_rule_special: string;
  readonly password_rule_complex: Complexity;
}

export const defaultPasswordRule: PasswordRule = {
  password_rule_range: '6-18',
  password_rule_special: '!@#$%^&*()_+-=.,?',
  password_rule_complex: '110',
};

const wording: Record<Complexity, Text> = {
  '110': [
    '须由字母和数字组成，大写字母、小写字母、数字至少包含两类',
    'letters and digits, with at least two of upper case, lower case and digits',
  ],
  '112': ['须同时包含字母和数字，特殊字符（{0}）可选', 'letters and digits, special characters ({0}) are optional'],
  '101': ['须由字母或数字与特殊字符（{0}）混合组成', 'letters or digits mixed with special characters ({0})'],
  '011': ['须由字母与特殊字符（{0}）混合组成', 'letters mixed with special characters ({0})'],
  '111': ['须同时包含大写字母、小写字母、数字和特殊字符（{0}）', 'upper case, lower case, digits and special characters ({0}) together'],
};

export const rangeOf = (rule: PasswordRule): readonly [min: number, max: number] => {
  const [min = 6, max = 18] = rule.password_rule_range.split('-').map(Number);
  return [min, max];
};

export const passwordHint = (rule: PasswordRule): Text => {
  const [min, max] = rangeOf(rule);
  const [zh, en] = fill(wording[rule.password_rule_complex], rule.password_rule_special);
  return [`长度为${min}-${max}个字符，${zh}`, `${min}-${max} characters, ${en}`];
};

const faults = {
  length: ['长度须为{0}-{1}个字符', 'use {0}-{1} characters'],
  foreign: ['不能包含 {0}', 'do not use {0}'],
  onlyDigits: ['不能为纯数字', 'not only digits'],
  letters: ['须包含字母', 'must contain letters'],
  digits: ['须包含数字', 'must contain digits'],
  lettersOrDigits: ['须包含字母或数字', 'must contain letters or digits'],
  secondKind: ['须再包含数字或另一种大小写的字母', 'add digits or letters of the other case'],
  upper: ['须包含大写字母', 'must contain upper case'],
  lower: ['须包含小写字母', 'must contain lower case'],
  special: ['须包含特殊字符（{0}）', 'must contain special characters ({0})'],
} as const satisfies Record<string, Text>;

interface Kinds {
  readonly upper: boolean;
  readonly lower: boolean;
  readonly letter: boolean;
  readonly digit: boolean;
  readonly special: boolean;
}

/** Kinds of characters that the complexity requires and the password lacks. */
const missingKinds = (
  { upper, lower, letter, digit, special }: Kinds,
  { password_rule_complex, password_rule_special }: PasswordRule,
): Text[] => {
  const unless = (isThere: boolean, text: Text): Text[] => (isThere ? [] : [text]);
  const noLetters = digit && !special ? faults.onlyDigits : faults.letters;
  const specials = unless(special, fill(faults.special, password_rule_special));
  switch (password_rule_complex) {
    case '110':
      return letter ? unless(digit || (upper && lower), faults.secondKind) : [noLetters];
    case '112':
      return [...unless(letter, noLetters), ...unless(digit, faults.digits)];
    case '101':
      return [...unless(letter || digit, faults.lettersOrDigits), ...specials];
    case '011':
      return [...unless(letter, noLetters), ...specials];
    case '111':
      return [...unless(upper, faults.upper), ...unless(lower, faults.lower), ...unless(digit, faults.digits), ...specials];
  }
};

const faultsOf = (password: string, rule: PasswordRule): Text[] => {
  const [min, max] = rangeOf(rule);
  const length = lengthOf(password);
  const others = [...new Set(password.replace(/[A-Za-z0-9]/g, ''))];
  const permitted = rule.password_rule_complex === '110' ? '' : rule.password_rule_special;
  const foreign = others.filter((character) => !permitted.includes(character));
  const upper = /[A-Z]/.test(password);
  const lower = /[a-z]/.test(password);
  const kinds = { upper, lower, letter: upper || lower, digit: /[0-9]/.test(password), special: others.length > foreign.length };
  return [
    ...(length < min || length > max ? [fill(faults.length, min, max)] : []),
    ...(foreign.length > 0 ? [fill(faults.foreign, foreign.join(' '))] : []),
    ...missingKinds(kinds, rule),
  ];
};

/** Reason of the refusal: the parts that fail, and the rule. */
export const passwordRefusal = (password: string, rule: PasswordRule): Text => {
  const hint = passwordHint(rule);
  const texts = faultsOf(password, rule);
  const en = texts.map((text) => text[1]).join(', ');
  return [`${texts.map((text) => text[0]).join('、')}（${hint[0]}）`, `${en.charAt(0).toUpperCase()}${en.slice(1)} (${hint[1]})`];
};

export const passwordFits = (password: string, rule: PasswordRule): boolean => faultsOf(password, rule).length === 0;
