import { describe, expect, it } from 'vitest';
import { check } from './kit/check.ts';
import { text } from './kit/field.ts';
import { defaultPasswordRule, passwordFits } from './kit/password-rule.ts';
import type { Rule } from './kit/rule.ts';
import { rules, serverRules, uploads } from './rules.ts';

const env = { passwordRule: defaultPasswordRule };
const passes = (rule: Rule, value: unknown, all = {}) => rule.test(value, all, env);

/** For each simple validator, valid and invalid values. */
const samples: Record<string, [good: unknown[], bad: unknown[]]> = {
  login_account: [
    ['admin', 'a_b1', 'x'.repeat(32)],
    ['abc', '1234', 'a-bcd', 'x'.repeat(33), '张三abc'],
  ],
  login_password: [['x'], ['', null, undefined]],
  captcha: [
    ['8888', 'aB3d'],
    ['888', '88888', '8-88', '八888'],
  ],
  phone_login: [
    ['+86-138', '1'],
    ['', 'a1', '1'.repeat(33)],
  ],
  sms_code: [
    ['123456', 'aB3dE6'],
    ['12345', '1234567', '12 456'],
  ],
  password_rule: [
    ['Farlink2026', 'abcABC'],
    ['abcdef', '123456', 'aB1', 'Farlink 2026', `aA1${'x'.repeat(16)}`],
  ],
  password_fixed: [['abc123'], ['abcdef', '123456', 'ab12', 'abc123!', `a1${'x'.repeat(17)}`]],
  alnum_128: [['a1'], ['', 'a_1', 'x'.repeat(129)]],
  word_128: [['a_1-b'], ['', 'a b', '中']],
  digits_128: [['0123'], ['', '12a', '1'.repeat(129)]],
  text_cn_128: [
    ['中', '中 文', 'x'.repeat(128)],
    ['', ' 中', '中 ', 'x'.repeat(129)],
  ],
  text_cn_15: [['十五个字符以内'], ['', 'x'.repeat(16)]],
  free_512: [['', 'x'.repeat(512)], ['x'.repeat(513)]],
  no_quotes: [['plain'], ["a'b", 'a"b', 'a\\b']],
  no_cn_space: [['abc'], ['a b', '中']],
  no_edge_space: [['a b'], [' a', 'a ']],
  phone: [['+86-13800000000'], ['138 000', 'abc']],
  email: [
    ['a@b.cn', 'a.b+c@d.e.org'],
    ['a@b', 'a b@c.d', '@c.d', 'a@b..c'],
  ],
  id_card: [
    ['11010519491231002X', '11010519491231002x', '110105491231002'],
    ['1101051949123100', 'X10105194912310021', '110105194912310021', '11010519490231002X', '110105491331002'],
  ],
  id_document: [['anything'], []],
  sn: [
    ['A1-b_2', 'A'],
    ['-a', 'a-', 'a b'],
  ],
  ipv4: [
    ['192.168.0.1', '0.0.0.0'],
    ['256.1.1.1', '1.2.3', '01.2.3.4', '1.2.3.4.5'],
  ],
  mac: [['00:1b:2C:3d:4e:5f'], ['00-1b-2c-3d-4e-5f', '00:1b:2c:3d:4e', 'g0:1b:2c:3d:4e:5f']],
  domain: [
    ['example.com', 'https://a.b/c', 'http://a-b.cn:8080'],
    ['a', 'ftp://a.b', 'a..b', '-a.b', `${'a'.repeat(254)}.b`],
  ],
  price_or_zero: [
    ['0', '0.00', '12.5'],
    ['-1', '1.234', 'x'],
  ],
  price: [
    ['0.01', '10', '99.90'],
    ['0', '0.00', '-1', '1.234', 'x'],
  ],
  directory: [['a/b_1'], ['a b', 'a-b', '']],
  vno_username: [['a_1'], ['a-1', '']],
  account_part: [
    ['a', 'a_1b'],
    ['', 'a-bcd', 'x'.repeat(21)],
  ],
  internet_account: [
    ['abcd', 'a_1b'],
    ['abc', 'a-bcd', 'x'.repeat(21)],
  ],
  internet_password: [
    ['123456', 'pass word'],
    ['12345', 'x'.repeat(19), '      '],
  ],
  person_name: [
    ['张三', 'Al'],
    ['张', 'x'.repeat(21)],
  ],
  allow_logins: [
    [1, 255],
    [0, 256],
  ],
  portal_name: [['门户'], ['', 'x'.repeat(16)]],
  version: [
    ['01.02.03', '1.2.3'],
    ['1.2', '100.1.1', 'a.b.c'],
  ],
  port: [
    [1, 65535],
    [0, 65536],
  ],
  vlan: [
    [1, 4094],
    [0, 4095],
  ],
  percent: [
    [1, 100],
    [0, 101],
  ],
  zero_unlimited: [[0, 5], [-1]],
  protocol_min1: [[[1]], [[], undefined]],
  card_types_max: [[[1]], [[], Array(11).fill(1)]],
  notify_mailbox: [[['a@b.c', 'd@e.f']], [['a@b.c', 'A@b.c']]],
  notify_mailboxes: [[['1', '2', '3']], [['1', '2', '3', '4']]],
};

/** Validators that compare fields: [rule, passing case, failing case], each case as [value, other values]. */
const compared: Record<string, [Rule, [unknown, object], [unknown, object]]> = {
  length: [rules.length(2, 3), ['ab', {}], ['abcd', {}]],
  number_range: [rules.number_range(2, 3), [2, {}], [4, {}]],
  confirm_equal: [rules.confirm_equal('p'), ['a', { p: 'a' }], ['a', { p: 'b' }]],
  new_differs: [rules.new_differs('p'), ['a', { p: 'b' }], ['a', { p: 'a' }]],
  phone_changed: [rules.phone_changed('p'), ['1', { p: '2' }], ['1', { p: '1' }]],
  name_changed: [rules.name_changed('p'), ['1', { p: '2' }], ['1', { p: '1' }]],
  start_before_end: [rules.start_before_end('s'), [2, { s: 1 }], [1, { s: 1 }]],
  query_range: [
    rules.query_range('s', 3),
    [Date.UTC(2026, 3, 1) / 1000, { s: Date.UTC(2026, 0, 1) / 1000 }],
    [Date.UTC(2026, 3, 1) / 1000 + 1, { s: Date.UTC(2026, 0, 1) / 1000 }],
  ],
  bind_single: [rules.bind_single('n'), ['1.1.1.1', { n: 1 }], ['1.1.1.1', { n: 2 }]],
  no_periodic: [rules.no_periodic('c'), ['x', {}], ['x', { c: 1 }]],
  vno_name_match: [rules.vno_name_match('n'), ['a', { n: 'a' }], ['a', { n: 'b' }]],
  cycle_both: [rules.cycle_both('u'), [1, { u: 'day' }], [1, {}]],
  capacity_unit: [rules.capacity_unit('u'), [1, { u: 'GB' }], [undefined, { u: 'GB' }]],
  device_or_group: [rules.device_or_group('g'), [1, {}], [undefined, {}]],
  cycle_quota: [rules.cycle_quota('t'), [1, { t: 1 }], [2, { t: 1 }]],
  reset_before_expiry: [rules.reset_before_expiry('e'), [1, { e: 1 }], [2, { e: 1 }]],
  duration_before_expiry: [rules.duration_before_expiry('e'), [1, { e: 1 }], [2, { e: 1 }]],
  policy_content: [rules.policy_content('a'), ['', { a: 2 }], ['', { a: 1 }]],
  device_capacity: [rules.device_capacity('n'), [1, { n: 19_999 }], [1, { n: 20_000 }]],
};

describe('the 67 validators of the specification', () => {
  /** Second variants of validators that the specification uses in two forms. */
  const secondVariants = ['account_part', 'notify_mailboxes', 'firmware', 'id_document', 'price_or_zero'];

  it('are all defined and have samples', () => {
    const all = [rules, serverRules, uploads].flatMap((some) => Object.keys(some));
    expect(all.filter((name) => !secondVariants.includes(name))).toHaveLength(67);
    expect(Object.keys(rules).sort()).toEqual([...Object.keys(samples), ...Object.keys(compared)].sort());
  });

  it.each(Object.entries(samples))('%s accepts valid samples and refuses invalid samples', (name, [good, bad]) => {
    const rule = Object.entries(rules).find(([key]) => key === name)?.[1];
    if (!rule || typeof rule === 'function') throw new Error(`${name} is not a plain rule`);
    for (const value of good) expect(passes(rule, value), `${name} should accept ${String(value)}`).toBe(true);
    for (const value of bad) expect(passes(rule, value), `${name} should refuse ${String(value)}`).toBe(false);
  });

  it.each(Object.entries(compared))('%s compares with the field that it refers to', (_, [rule, yes, no]) => {
    expect(passes(rule, ...yes)).toBe(true);
    expect(passes(rule, ...no)).toBe(false);
  });
});

describe('an ID number', () => {
  it('is checked by the rule of its document type', () => {
    const passport = { id_type: 'passport' };
    expect(passes(rules.id_card, 'E12345678', passport)).toBe(true);
    expect(passes(rules.id_document, 'E12345678', passport)).toBe(true);
    for (const wrong of ['A123', 'A-12345', 'A'.repeat(21)]) expect(passes(rules.id_document, wrong, { id_type: 'seafarer' })).toBe(false);
    expect(passes(rules.id_card, 'E12345678', { id_type: 'id_card' })).toBe(false);
  });
});

describe('the password rule', () => {
  const fits = (password: string, complex: '110' | '112' | '101' | '011' | '111') =>
    passwordFits(password, { ...defaultPasswordRule, password_rule_complex: complex });

  it.each([
    ['110', ['abc123', 'abcABC', 'ABC123'], ['abcdef', '123456', 'abc12!']],
    ['112', ['abc123', 'abc12!'], ['abcdef', '123456', 'abcd!!']],
    ['101', ['abc!!!', '123!!!', 'a1!!!!'], ['abc123', '!!!!!!']],
    ['011', ['abc!!!', 'aB1!!!'], ['123!!!', 'abcdef']],
    ['111', ['Abc12!'], ['abc12!', 'Abc123', 'Abcde!', '12345!']],
  ] as const)('%s requires its combination of character classes', (complex, good, bad) => {
    for (const password of good) expect(fits(password, complex), password).toBe(true);
    for (const password of bad) expect(fits(password, complex), password).toBe(false);
  });

  it('refuses special characters that the settings do not list', () => {
    expect(fits('Abc12~', '111')).toBe(false);
  });

  it('shows its range and its complexity', () => {
    const { errors } = check({ p: text(['密码', 'Password'], { rules: [rules.password_rule] }) }, { p: 'x' }, env);
    expect(errors.p?.[0]).toContain('6-18');
    expect(errors.p?.[1]).toContain('at least two of upper case, lower case and digits');
  });
});
