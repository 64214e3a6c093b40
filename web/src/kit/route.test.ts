import { expect, test } from 'vitest';
import { fillRoute, pageAt } from './route.ts';

test('a route takes its placeholders from the row, in its path and in its query', () => {
  expect(fillRoute('/user/detail/:id', { id: 7 })).toBe('/user/detail/7');
  expect(fillRoute('/user/create?config_id=:id&name=:name', { id: 7, name: '甲 & 乙' })).toBe(
    '/user/create?config_id=7&name=%E7%94%B2%20%26%20%E4%B9%99',
  );
  expect(fillRoute('/user/list?phone=:phone', { id: 7 })).toBe('/user/list?phone=');
});

test('a route leads to its page, whatever its query', () => {
  expect(pageAt('/vno/topology?vno_id=:id')?.key).toBe('vnoTopology');
  expect(pageAt('/nowhere/:id')).toBeUndefined();
});
