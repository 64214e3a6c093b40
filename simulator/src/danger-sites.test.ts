import { domainHash } from '@farlink/gateway/protocol/danger-list.ts';
import { expect, test } from 'vitest';
import { DangerSites, riskyHosts } from './danger-sites.ts';
import { forkOf } from './random.ts';
import type { Session } from './session.ts';

const pageOf = (...domains: readonly string[]) => ({
  from: 0,
  to: domains.length,
  a: Buffer.from(domains.map(domainHash).join(''), 'hex').toString('base64'),
});

const gatewayAt = (sessions: readonly Session[]) => {
  const events: unknown[] = [];
  const gateway = {
    t: 1000,
    current: '6d' as const,
    users: { sessions },
    fork: (part: string) => forkOf('SN-1', part, 1),
    now: () => gateway.t,
    event: (kind: string, more: object) => void events.push({ kind, ...more }),
  };
  return { gateway, events };
};

test('visits to a website between two reports are one event', () => {
  const { gateway, events } = gatewayAt([]);
  const danger = new DangerSites(gateway);
  expect(danger.visit('casino.example')).toBe(false);
  danger.apply(pageOf('casino.example', 'dice.example'));
  danger.step(0);
  expect([danger.visit('casino.example'), danger.visit('www.casino.example'), danger.visit('fine.example')]).toEqual([true, true, false]);
  gateway.t += 60;
  danger.step(0);
  danger.step(0);
  expect(events).toEqual([{ kind: 'danger', site: domainHash('casino.example'), n: 2 }]);
  danger.visit('dice.example');
  danger.step(0);
  expect(events).toHaveLength(1);
  gateway.t += 60;
  danger.step(0);
  expect(events.at(-1)).toEqual({ kind: 'danger', site: domainHash('dice.example'), n: 1 });
});

test('simulated users sometimes open listed websites, but only while they browse', () => {
  const session = (browses: boolean): Session => ({
    sid: 's-1',
    acc: 'crew',
    mac: '02:00:00:00:00:01',
    vlan: undefined,
    browses,
    grant: undefined,
    via: 'local',
    at: 0,
    active: 0,
    u: 0,
    d: 0,
    ip: '192.168.10.10',
    startUptime: 0,
    left: 10,
  });
  const hitsOf = (browses: boolean) => {
    const { gateway, events } = gatewayAt(Array.from({ length: 20 }, () => session(browses)));
    const danger = new DangerSites(gateway);
    danger.apply(pageOf(...riskyHosts));
    for (let minute = 0; minute < 600; minute++) {
      gateway.t += 60;
      danger.step(60);
    }
    return events.length;
  };
  expect(hitsOf(true)).toBeGreaterThan(50);
  expect(hitsOf(false)).toBe(0);
});
