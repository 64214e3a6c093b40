import { pages } from '@farlink/contract/pages.ts';
import { expect, it } from 'vitest';
import { duties } from './duties.ts';

it('the role of auditors shows the pages of audit data and logs, and reveals and changes nothing', () => {
  const role = duties.find(({ name }) => name === '审计');
  const granted = pages.filter(({ permission }) => role?.permissions[permission] !== undefined).map(({ key, route }) => ({ key, route }));
  expect(granted.some(({ route }) => route.startsWith('/audit/'))).toBe(true);
  expect(granted.some(({ route }) => route === '/log/system')).toBe(true);
  expect(granted.map(({ key }) => key)).not.toContain('auditReveal');
  expect(new Set(Object.values(role?.permissions ?? {}))).toEqual(new Set(['10']));
});
