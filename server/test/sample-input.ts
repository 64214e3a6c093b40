import { check } from '@farlink/contract/kit/check.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';

const env = { passwordRule: defaultPasswordRule };
const candidates: Partial<Record<Field['kind'], readonly unknown[]>> = {
  text: [
    'sample',
    'network_wan',
    'Sample1',
    'sample1A',
    'ab',
    'a@b.cn',
    '13800000000',
    '8888',
    '123456',
    '192.168.0.1',
    '00:11:22:33:44:55',
    '11010519491231002X',
    '01.02.03',
    '示例',
  ],
  link: ['示例名称'],
  long: ['示例备注'],
  password: ['Sample12'],
  int: [1, 300],
  money: ['1.00'],
  bool: [true],
  time: [4_000_000_000],
  progress: [50],
  tags: [['示例'], ['a@b.cn']],
  date: [4_000_000_000],
  bytes: [1],
  speed: [0],
  duration: [60],
  protocols: [['9.197']],
  grants: [{ system_log: '11' }],
  document: [{ value: 1 }],
};

const sampleOf = (name: string, field: Field, ids: Readonly<Record<string, number>>): unknown => {
  if (field.kind === 'choice') return field.options?.[0]?.id;
  if (field.kind === 'tags' && field.options) return field.options.slice(0, 1).map((o) => o.id);
  if (field.items) return [Object.fromEntries(Object.entries(field.items).map(([key, item]) => [key, sampleOf(key, item, ids)]))];
  // The end of a range must be after its start.
  if (field.kind === 'time' && (name.endsWith('_end') || name === 'end_at')) return 4_000_000_001;
  if (field.kind === 'option') return ids[name] ?? 1;
  if (field.kind === 'options') return [ids[name] ?? 1];
  if (field.kind === 'int' && ids[name] !== undefined) return ids[name];
  // A start must be before its end.
  if (field.kind === 'date' && name.includes('start')) return 1;
  const always = { ...field, when: undefined };
  const beside = { password: 'Sample12', newpassword: 'Sample12', allow_logins: 1 };
  const fits = (candidate: unknown) => Object.keys(check({ [name]: always }, { ...beside, [name]: candidate }, env).errors).length === 0;
  return (candidates[field.kind] ?? []).find(fits);
};

/** Input that passes the call's own rules, so that only the ownership check can refuse it. `ids` are row ids by field. */
export const sampleInput = (call: Endpoint, ids: Readonly<Record<string, number>>): Record<string, unknown> => {
  const values = Object.fromEntries(Object.entries(call.input ?? {}).map(([name, field]) => [name, sampleOf(name, field, ids)]));
  return { ...values, ...(call.versioned && { version: 1 }) };
};
