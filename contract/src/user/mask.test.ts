import { describe, expect, it } from 'vitest';
import { defaultPasswordRule } from '../kit/password-rule.ts';
import { rules } from '../rules.ts';
import { maskIdNumber, maskPhone, orMasked } from './mask.ts';

const env = { passwordRule: defaultPasswordRule };

describe('a masked number', () => {
  it('keeps the ends that distinguish people and hides the rest', () => {
    expect(maskPhone('13800000001')).toBe('138****0001');
    expect(maskPhone('+8613800000001')).toBe('+86****0001');
    expect(maskIdNumber('11010519491231002X')).toBe('110105********002X');
    expect(maskIdNumber('110105491231002')).toBe('110105*****1002');
  });

  it('hides a short one all the more, and shows nothing of nothing', () => {
    expect(maskPhone('1234567')).toBe('1****');
    expect(maskPhone('1')).toBe('1****');
    expect(maskPhone('')).toBe('');
    expect(maskIdNumber('E12345678')).toBe('E****78');
  });

  it('passes a form that started from it; what was typed over it keeps the rule', () => {
    const phone = orMasked(rules.phone);
    expect(phone.test('138****0001', {}, env)).toBe(true);
    expect(phone.test('13800000001', {}, env)).toBe(true);
    expect(phone.test('138**0001', {}, env)).toBe(false);
    expect(orMasked(rules.id_card).test('110105', {}, env)).toBe(false);
  });
});
