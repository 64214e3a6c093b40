import { fill, lengthOf, type Text } from './text.ts';

/** spec §5: range, special characters and complexity come from the settings. */
export type Complexity = '110' | '101' | '011' | '111';
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

const onlyDigits: Text = ['不能为纯数字', 'not only digits'];
const noLetters: Text = ['须包含字母', 'must contain letters'];

/** Reason of the refusal: the rule, and the missing kind of character. */
export const passwordRefusal = (password: string, rule: PasswordRule): Text => {
  const hint = passwordHint(rule);
  const lacks = /^\d+$/.test(password) ? onlyDigits : password !== '' && !/[A-Za-z]/.test(password) ? noLetters : undefined;
  return lacks ? [`${hint[0]}，${lacks[0]}`, `${hint[1]}, ${lacks[1]}`] : hint;
};

export const passwordFits = (password: string, rule: PasswordRule): boolean => {
  const [min, max] = rangeOf(rule);
  const length = lengthOf(password);
  if (length < min || length > max) return false;
  const upper = /[A-Z]/.test(password);
  const lower = /[a-z]/.test(password);
  const digit = /[0-9]/.test(password);
  const letter = upper || lower;
  const rest = password.replace(/[A-Za-z0-9]/g, '');
  const special = rest !== '';
  if ([...rest].some((c) => !rule.password_rule_special.includes(c))) return false;
  switch (rule.password_rule_complex) {
    case '110':
      return !special && [upper, lower, digit].filter(Boolean).length >= 2;
    case '101':
      return (letter || digit) && special;
    case '011':
      return letter && special;
    case '111':
      return upper && lower && digit && special;
  }
};
