import { expect, test } from 'vitest';
import { fillRoute, pageAt, routeOf } from './route.ts';

test('placeholders in the path and the query of a route are filled from the row', () => {
  expect(fillRoute('/user/detail/:id', { id: 7 })).toBe('/user/detail/7');
  expect(fillRoute('/user/create?config_id=:id&name=:name', { id: 7, name: '甲 & 乙' })).toBe(
    '/user/create?config_id=7&name=%E7%94%B2%20%26%20%E4%B9%99',
  );
  expect(fillRoute('/user/list?phone=:phone', { id: 7 })).toBe('/user/list?phone=');
});

test('a route with a missing value is undefined', () => {
  expect(routeOf('/device/detail/:device_id', { device_id: 4 })).toBe('/device/detail/4');
  expect(routeOf('/device/group?name=:group_name', { group_name: '远洋 1' })).toBe('/device/group?name=%E8%BF%9C%E6%B4%8B%201');
  for (const device_id of [null, undefined, '']) expect(routeOf('/device/detail/:device_id', { device_id })).toBeUndefined();
});

test('a route is resolved to its page without its query', () => {
  expect(pageAt('/vno/topology?vno_id=:id')?.key).toBe('vnoTopology');
  expect(pageAt('/nowhere/:id')).toBeUndefined();
});
