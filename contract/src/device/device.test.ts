import { describe, expect, it } from 'vitest';
import { check } from '../kit/check.ts';
import { defaultPasswordRule } from '../kit/password-rule.ts';
import { billingMode, deviceAuth } from './choices.ts';
import { deviceActions } from './device-actions.ts';
import { authFields, editFields, replaceFields } from './device-fields.ts';
import { linkName } from './link-name.ts';
import { fitsBilling } from './portal.ts';

const env = { passwordRule: defaultPasswordRule, now: 1000 };
const faults = (fields: Parameters<typeof check>[0], raw: object) => Object.keys(check(fields, { ...raw }, env, true).errors);

describe('editable fields of a device', () => {
  it('require proxy address and proxy port together', () => {
    expect(faults(editFields, { proxy_addr: '10.0.0.1', proxy_port: '' })).toEqual(['proxy_port']);
    expect(faults(editFields, { proxy_addr: '', proxy_port: 80 })).toEqual(['proxy_addr']);
    expect(faults(editFields, { proxy_addr: '', proxy_port: '' })).toEqual([]);
  });

  it('refuse a device key that is too short, too long or contains a space', () => {
    expect(faults(editFields, { device_key: 'short' })).toEqual(['device_key']);
    expect(faults(editFields, { device_key: 'sixteen with space' })).toEqual(['device_key']);
    expect(faults(editFields, { device_key: 'x'.repeat(65) })).toEqual(['device_key']);
    expect(faults(editFields, { device_key: 'Sixteen.chars+ok' })).toEqual([]);
  });

  it('refuse a replacement with the same SN', () => {
    expect(faults(replaceFields, { sn: 'A1', new_sn: 'A1' })).toEqual(['new_sn']);
    expect(faults(replaceFields, { sn: 'A1', new_sn: 'A2' })).toEqual([]);
  });

  it('offer all authorizations except expired, require a future end for formal, and drop the code for test', () => {
    const chosen = authFields.auth_status.options?.map((o) => o.id);
    expect(chosen).toEqual(deviceAuth.map((o) => o.id).filter((id) => id !== 'expired'));
    expect(faults(authFields, { auth_status: 'formal', auth_expire_at: 1000 })).toEqual(['auth_expire_at']);
    expect(faults(authFields, { auth_status: 'suspended', auth_expire_at: 1000 })).toEqual([]);
    const test = check(authFields, { auth_status: 'test', auth_expire_at: 2000, auth_code: 'X' }, env);
    expect(test.values.auth_code).toBeUndefined();
  });
});

describe('actions of a device', () => {
  const offered = (row: object) =>
    Object.entries(deviceActions)
      .filter(([, action]) => !('when' in action) || action.when({ id: 1, online_state: 1, auth_status: 'formal', status: 0, ...row }))
      .map(([key]) => key);

  it('depend on its state', () => {
    expect(offered({})).toEqual(['edit', 'auth', 'portal']);
    expect(offered({ online_state: 0 })).toEqual(['edit', 'replace', 'auth', 'delete']);
    expect(offered({ auth_status: 'suspended', status: 4 })).toEqual(['edit', 'lift', 'portal', 'resetBinding']);
  });
});

describe('a portal', () => {
  it('fits gateways with the same billing or with mixed billing', () => {
    const fitting = (billing: 'free' | 'charged') => billingMode.map((m) => m.id).filter((mode) => fitsBilling(billing, mode));
    expect(fitting('charged')).toEqual([1, 3]);
    expect(fitting('free')).toEqual([2, 3]);
  });
});

describe('the name of a link', () => {
  it('is the same in each language', () => {
    expect(['6d', 'l_band', 'lte', 'lte2', 'low_orbit', 'vsat'].map(linkName)).toEqual(['6D', 'L-Band', 'LTE', 'LTE 2', 'LEO', 'vsat']);
  });
});
