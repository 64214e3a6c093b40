import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { addressBlockOf, allowPerMinute, countCall } from './rate-limit.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

describe('a limit per minute', () => {
  const tryAll = async (names: readonly ['a' | 'b', string][], now: number) => {
    const processes = { a: { ...service.deps }, b: { ...service.deps } };
    const results: boolean[] = [];
    for (const [process, name] of names)
      results.push(
        await allowPerMinute(processes[process], name, 3, now).then(
          () => true,
          () => false,
        ),
      );
    return results;
  };

  test('is shared by all processes', async () => {
    const now = service.clock.now();
    const calls = await tryAll(
      [...'ababab'].map((process) => [process === 'a' ? 'a' : 'b', 'login']),
      now,
    );
    expect(calls).toEqual([true, true, true, false, false, false]);
    expect(await tryAll([['a', 'another']], now)).toEqual([true]);
    expect(await tryAll([['b', 'login']], now + 60)).toEqual([true]);
  });

  test('refuses a flood without a query', async () => {
    const now = service.clock.now();
    await tryAll(
      Array.from({ length: 50 }, () => ['a', 'flood']),
      now,
    );
    const row = await service.deps.db.selectFrom('rate_count').select('count').where('name', '=', 'flood').executeTakeFirstOrThrow();
    expect(row.count).toBe(3);
  });

  test('counts a process with a slow clock in the newest window', async () => {
    const now = 1_800_000_000;
    expect(await countCall(service.deps.db, 'hour', 3600, now)).toBe(1);
    expect(await countCall(service.deps.db, 'hour', 3600, now - 3600)).toBe(2);
    expect(await countCall(service.deps.db, 'hour', 3600, now + 3600)).toBe(1);
  });
});

test('IPv6 addresses of one /64 network count as one, and IPv4 addresses count separately', () => {
  expect(addressBlockOf('203.0.113.9')).toBe('203.0.113.9');
  expect(addressBlockOf('::ffff:203.0.113.9')).toBe('::ffff:203.0.113.9');
  expect(addressBlockOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(addressBlockOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
  expect(addressBlockOf('2001:db8::9')).toBe('2001:db8:0:0');
  expect(addressBlockOf('2001::a:b:c:d:e:f')).toBe('2001:0:a:b');
  expect(addressBlockOf('::1')).toBe('0:0:0:0');
  expect(addressBlockOf('fe80::1%eth0')).toBe('fe80:0:0:0');
});
