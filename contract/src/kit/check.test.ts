import { describe, expect, it } from 'vitest';
import { rules } from '../rules.ts';
import { check } from './check.ts';
import { bool, choice, grants, int, items, longText, money, option, options, password, tags, text, time, variant } from './field.ts';
import { defaultPasswordRule } from './password-rule.ts';
import { across } from './rule.ts';

const env = { passwordRule: defaultPasswordRule };
const label = ['字段', 'Field'] as const;
const one = (field: Parameters<typeof check>[0][string], raw: unknown) => check({ f: field }, { f: raw }, env);

describe('a copy of a field', () => {
  const name = text(label, { required: true });

  it('stays required, unless the copy says otherwise', () => {
    expect(one(variant(name, { label: ['名称', 'Name'] }), '').errors).toHaveProperty('f');
    expect(one(variant(name, { required: false }), '').errors).toEqual({});
    expect(one(variant(text(label), { required: true }), '').errors).toHaveProperty('f');
  });
});

describe('parsing a request value', () => {
  it.each([
    ['text is trimmed', text(label), '  a ', 'a'],
    ['a label of a code is the code', text(label, { codes: [{ id: 'news', label: ['新闻', 'News'] }] }), '新闻', 'news'],
    ['an unknown code stays', text(label, { codes: [{ id: 'news', label: ['新闻', 'News'] }] }), 'tv', 'tv'],
    ['a password is not trimmed', password(label), ' a ', ' a '],
    ['a number may be sent as text', int(label), '12', 12],
    ['time is whole seconds', time(label), 1_700_000_000, 1_700_000_000],
    ['money has two decimals', money(label), '5', '5.00'],
    ['money is exact to the cent', money(label), '12345678901.1', '12345678901.10'],
    ['1 is true', bool(label), '1', true],
    ['a choice is converted to the type of its options', choice(label, [{ id: 1, label }] as const), '1', 1],
    ['ids may be separated by commas', options(label, 'x'), '1,2,2', [1, 2]],
    ['grants are a map', grants(label, 'x'), { a: '11' }, { a: '11' }],
  ])('%s', (_, field, raw, value) => {
    expect(one(field, raw)).toEqual({ values: { f: value }, errors: {} });
  });

  it.each([
    ['a word is refused as a number', int(label), 'x'],
    ['a fraction is refused as a whole number', int(label), 1.5],
    ['money with three decimals is refused', money(label), '1.234'],
    ['an object is refused as text', text(label), {}],
    ['an unknown choice is refused', choice(label, [{ id: 1, label }] as const), 2],
    ['a choice that has no text is refused', choice(label, [{ id: 1, label }] as const), { toString: 1 }],
    ['a list is refused as a choice', choice(label, [{ id: 1, label }] as const), [{ toString: 1 }]],
    ['ids that have no text are refused', options(label, 'x'), { toString: 1 }],
    ['an unknown grant is refused', grants(label, 'x'), { a: '22' }],
    ['a list is refused as a map of grants', grants(label, 'x'), ['a']],
  ])('%s', (_, field, raw) => {
    expect(Object.keys(one(field, raw).errors)).toEqual(['f']);
  });
});

describe('required and empty fields', () => {
  it('asks to enter, select or improve, depending on the kind of the field', () => {
    expect(one(text(label, { required: true }), '').errors.f).toEqual(['请输入字段', 'Please enter field']);
    expect(one(option(label, 'x', { required: true }), undefined).errors.f).toEqual(['请选择字段', 'Please select field']);
    expect(one(grants(label, 'x', { required: true }), null).errors.f).toEqual(['请完善字段', 'Please improve field']);
  });

  it.each([
    ['Confirm password', 'Please confirm password'],
    ['Phone', 'Please enter phone'],
    ['ID number', 'Please enter ID number'],
    ['VNO', 'Please enter VNO'],
    ['AppID', 'Please enter AppID'],
    ['WeChat account', 'Please enter WeChat account'],
    ['Alipay account', 'Please enter Alipay account'],
  ])('keeps the capitals of names and abbreviations inside a sentence: %s', (english, sentence) => {
    expect(one(text(['字段', english], { required: true }), '').errors.f?.[1]).toBe(sentence);
  });

  it('distinguishes an absent value from an emptied one', () => {
    expect(check({ f: text(label) }, {}, env).values.f).toBeUndefined();
    expect(check({ f: text(label) }, { f: '' }, env).values.f).toBeNull();
  });

  it('allows 25 characters where no maximum is set', () => {
    expect(one(text(label), 'x'.repeat(25)).errors).toEqual({});
    expect(one(text(label), 'x'.repeat(26)).errors.f?.[1]).toBe('At most 25 characters');
    expect(one(longText(label), 'x'.repeat(512)).errors).toEqual({});
  });
});

describe('fields that depend on other fields', () => {
  const form = {
    on: bool(label),
    limit: money(label, { required: true, rules: [rules.price], when: (v) => v.on === true }),
    password: password(label, { required: true }),
    again: password(label, { required: true, rules: [rules.confirm_equal('password')] }),
  };

  it('an inactive field is neither required nor accepted', () => {
    const off = check(form, { on: false, limit: '5', password: 'a', again: 'a' }, env);
    expect(off.errors).toEqual({});
    expect(off.values.limit).toBeUndefined();
    expect(Object.keys(check(form, { on: true, password: 'a', again: 'a' }, env).errors)).toEqual(['limit']);
  });

  it('an unreadable amount is refused with the text of its rule', () => {
    const { errors } = check(form, { on: true, limit: '1.234', password: 'a', again: 'a' }, env);
    expect(errors.limit).toEqual(rules.price.text);
  });

  it('all errors are reported together, including those between fields', () => {
    expect(Object.keys(check(form, { on: true, password: 'a', again: 'b' }, env).errors)).toEqual(['limit', 'again']);
  });

  it('a partial input may omit fields, but a new password needs its confirmation', () => {
    expect(check(form, {}, env, true).errors).toEqual({});
    expect(Object.keys(check(form, { password: 'a' }, env, true).errors)).toEqual(['again']);
    expect(Object.keys(check(form, { password: '' }, env, true).errors)).toEqual(['password']);
  });
});

describe('tags within a form', () => {
  it('are read from an array of texts or from comma-separated text', () => {
    expect(one(tags(label), ['a', 'b']).values).toEqual({ f: ['a', 'b'] });
    expect(one(tags(label), 'a, b,,').values).toEqual({ f: ['a', 'b'] });
    expect(Object.keys(one(tags(label), [1]).errors)).toEqual(['f']);
  });
});

describe('records within a form', () => {
  const lines = items(
    label,
    { name: text(label, { required: true }), count: int(label, { rules: [rules.number_range(1, 9)] }) },
    { required: true },
  );

  it('are parsed one by one, without undeclared properties', () => {
    expect(one(lines, [{ name: ' a ', count: '2', more: 1 }])).toEqual({ values: { f: [{ name: 'a', count: 2 }] }, errors: {} });
  });

  it('report the line and the field of an error', () => {
    const { errors } = one(lines, [{ name: 'a' }, { name: '', count: 10 }]);
    expect(errors).toEqual({
      f: ['第2行：请输入字段', 'Line 2: Please enter field'],
      'f[1].name': ['请输入字段', 'Please enter field'],
      'f[1].count': ['数值范围为1-9', 'Between 1 and 9'],
    });
  });

  it('are not read when there are more than a rule allows', () => {
    const unread = { ...text(label), rules: [across('unread', label, () => expect.unreachable())] };
    const few = items(label, { name: unread }, { rules: [{ ...across('count', ['最多2项', 'At most 2'], () => true), max: 2 }] });
    expect(one(few, Array(3).fill({ name: 'a' }))).toEqual({ values: {}, errors: { f: ['最多2项', 'At most 2'] } });
  });

  it('must not be empty if required, and must be objects', () => {
    expect(one(lines, []).errors).toEqual({ f: ['请完善字段', 'Please improve field'] });
    for (const raw of ['x', 1, {}, ['x'], [null], [[]]]) expect(Object.keys(one(lines, raw).errors)).toEqual(['f']);
  });
});
