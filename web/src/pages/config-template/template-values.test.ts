import { bool, choice, ref, text } from '@farlink/gateway/kit/field.ts';
import { describe, expect, it } from 'vitest';
import { asTyped, countOf, errorsBelow, hasVariable, isHidden, startValue, toEdited, toSent, without } from './template-values.ts';

const mode = choice(['方式', 'Mode'], { a: ['甲', 'A'], b: ['乙', 'B'] }, { default: 'a' });
const fields = {
  mode,
  host: text(['主机', 'Host'], { when: ['mode', 'b'] }),
  deep: text(['深', 'Deep'], { when: ['host', 'x'] }),
  on: bool(['开', 'On']),
};

describe('the values of a template for a page', () => {
  it('contain variables in texts at any depth, unless the dollar sign is doubled', () => {
    expect([`\${a}`, `x-\${a}`, [{ host: `\${a}` }]].map(hasVariable)).toEqual([true, true, true]);
    expect([`$\${a}`, 'a', 5, null, undefined].map(hasVariable)).toEqual([false, false, false, false, false]);
  });

  it('hide a field only if the template excludes it, directly or through other fields', () => {
    expect(isHidden(fields, 'host', {})).toBe(false);
    expect(isHidden(fields, 'host', { mode: 'b' })).toBe(false);
    expect(isHidden(fields, 'host', { mode: 'a' })).toBe(true);
    expect(isHidden(fields, 'deep', { mode: 'a' })).toBe(true);
    expect(isHidden(fields, 'deep', { host: `\${h}` })).toBe(false);
  });

  it('start with the default, and refer to rows by typed text', () => {
    expect([startValue(mode), startValue(fields.on), startValue(fields.host)]).toEqual(['a', false, undefined]);
    expect(asTyped(ref(['链路', 'Link'], 'network_wan', { required: true }))).toMatchObject({ kind: 'text', required: false });
  });

  it('are converted for the server, with null for emptied values, and back', () => {
    const part = { set: { a: 1, b: undefined }, rows: [{ key: 'x', only: true, set: { c: 'y' } }] };
    expect(toSent('form', part)).toEqual({ set: { a: 1, b: null } });
    expect(toSent('list', part)).toEqual({ rows: [{ key: 'x', only: true, set: { c: 'y' } }] });
    expect(toEdited({ rows: [{ key: 'x', set: {} }] })).toEqual({ set: {}, rows: [{ key: 'x', only: false, set: {} }] });
    expect([countOf(part), without({ a: 1, b: 2 }, 'a')]).toEqual([3, { b: 2 }]);
  });

  it('get the errors of their own row', () => {
    const errors = { 'sections.p.rows[1].mtu': 'no', 'sections.p.rows[12].mtu': 'never', name: 'x' };
    expect(errorsBelow(errors, 'sections.p.rows[1].')).toEqual({ mtu: 'no' });
  });
});
