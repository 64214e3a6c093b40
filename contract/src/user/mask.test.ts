import { describe, expect, it } from 'vitest';
import { defaultPasswordRule } from '../kit/password-rule.ts';
import { rules } from '../rules.ts';
import { maskIdNumber, maskPhone, orMasked } from './mask.ts';

const env = { passwordRule: defaultPasswordRule };

describe('a masked number', () => {
  it('shows its first and last characters and hides the rest', () => {
    expect(maskPhone('13800000001')).toBe('138****0001');
    expect(maskPhone('+8613800000001')).toBe('+86****0001');
    expect(maskIdNumber('11010519491231002X')).toBe('110105********002X');
    expect(maskIdNumber('110105491231002')).toBe('110105*****1002');
  });

  it('shows fewer characters of a short number, and is empty for an empty number', () => {
    expect(maskPhone('1234567')).toBe('1****');
    expect(maskPhone('1')).toBe('1****');
    expect(maskPhone('')).toBe('');
    expect(maskIdNumber('E12345678')).toBe('E****78');
  });

  it('is accepted unchanged, while any other value must satisfy the rule', () => {
    const phone = orMasked(rules.phone);
    expect(phone.test('138****0001', {}, env)).toBe(true);
    expect(phone.test('13800000001', {}, env)).toBe(true);
    expect(phone.test('138**0001', {}, env)).toBe(false);
    expect(orMasked(rules.id_card).test('110105', {}, env)).toBe(false);
  });
});
