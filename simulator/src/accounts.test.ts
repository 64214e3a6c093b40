import { Random } from '@farlink/contract/kit/random.ts';
import { type AccountEntry, type DownAccounts, digestText, entryHash } from '@farlink/gateway/protocol/account.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import { describe, expect, test } from 'vitest';
import { Accounts } from './accounts.ts';
import { entryOf, now, openGateway, page } from './sample-accounts.ts';

const none: ReadonlySet<string> = new Set();
const digestOf = (...entries: AccountEntry[]) => digestText(entries.reduce((sum, entry) => sum ^ entryHash(entry), 0n));
const a = entryOf('a');
const b = entryOf('b');
const c = entryOf('c');

const holding = (...entries: AccountEntry[]) => {
  const accounts = new Accounts();
  accounts.applyPage(page(0, 5, entries), none);
  return accounts;
};

describe('a page of accounts', () => {
  test('is applied if it continues the revision, and confirmed with count and digest', () => {
    const accounts = holding(a, b);
    expect(accounts.summary).toEqual({ rev: 5, n: 2, h: digestOf(a, b) });
    const changed = { ...b, al: 3 };
    const reply = accounts.applyPage(page(5, 7, [changed, c], { x: ['a'] }), none);
    expect(reply.report).toEqual({ rev: 7, n: 2, h: digestOf(changed, c) });
    expect(reply.changed.toSorted()).toEqual(['a', 'b', 'c']);
    expect(accounts.has('a')).toBe(false);
  });

  test('that is repeated is confirmed again and changes nothing', () => {
    const accounts = holding(a);
    expect(accounts.applyPage(page(0, 5, [b]), none)).toEqual({ report: accounts.summary, changed: [] });
    expect(accounts.has('b')).toBe(false);
  });

  test('after a gap is answered with the current state of the gateway', () => {
    const accounts = holding(a);
    expect(accounts.applyPage(page(8, 9, [b]), none)).toEqual({ report: { rev: 5, n: 1, h: digestOf(a) }, changed: [] });
  });

  test('with refused accounts lists them, and they keep their state', () => {
    const accounts = holding(a);
    const costly = { ...b, v: b.v.replace(/^\d+/, '30') };
    const { report } = accounts.applyPage(page(5, 6, [{ ...a, al: 9 }, costly, c]), new Set(['a']));
    expect(report).toEqual({
      rev: 6,
      n: 2,
      h: digestOf(a, c),
      bad: [
        ['a', 'refused'],
        ['b', 'verifier not supported'],
      ],
    });
    expect(accounts.get('a', now)?.entry.al).toBe(a.al);
  });
});

describe('a complete transfer', () => {
  test('keeps old accounts until its end and then removes those that were not sent', () => {
    const accounts = holding(a, b);
    accounts.applyPage(page(0, 10, [c], { all: true }), none);
    expect([accounts.has('a'), accounts.has('b'), accounts.summary.rev]).toEqual([true, true, 10]);
    const { report, changed } = accounts.applyPage(page(10, 12, [b], { end: true }), none);
    expect(report).toEqual({ rev: 12, n: 2, h: digestOf(b, c) });
    expect(changed.toSorted()).toEqual(['a', 'b']);
  });

  test('keeps an account that the gateway refused', () => {
    const accounts = holding(a, b);
    const { report } = accounts.applyPage(page(0, 9, [a], { all: true, end: true }), new Set(['a']));
    expect(report).toEqual({ rev: 9, n: 1, h: digestOf(a), bad: [['a', 'refused']] });
  });

  test('starts again when its first page is repeated', () => {
    const accounts = holding(a);
    const first = page(0, 8, [b], { all: true });
    const last = page(8, 9, [c], { end: true });
    for (const one of [first, last, first, last]) accounts.applyPage(one, none);
    expect(accounts.summary).toEqual({ rev: 9, n: 2, h: digestOf(b, c) });
  });

  test('may end with an empty page of the same revision', () => {
    const accounts = holding(a);
    accounts.applyPage(page(0, 8, [b], { all: true }), none);
    expect(accounts.applyPage(page(8, 8, [], { end: true }), none).report).toEqual({ rev: 8, n: 1, h: digestOf(b) });
  });
});

test('the digest does not depend on the order or the pages of the changes', () => {
  const random = new Random(7);
  for (let round = 0; round < 50; round++) {
    const names = Array.from({ length: random.int(1, 30) }, (_, i) => `user${i}`);
    const final = names.map((name) => entryOf(name, { al: random.int(1, 9), c: random.int(0, 3) }));
    const histories = [1, 2].map(() => {
      const accounts = new Accounts();
      const changes = [...names.map((name) => entryOf(name, { al: random.int(1, 9) })), entryOf('gone')]
        .map((entry) => ({ entry, order: random.next() }))
        .toSorted((x, y) => x.order - y.order)
        .map(({ entry }) => entry);
      const last = final.map((entry) => ({ entry, order: random.next() })).toSorted((x, y) => x.order - y.order);
      let rev = 0;
      const send = (one: Omit<DownAccounts, 'from' | 'to'>) => accounts.applyPage({ ...one, from: rev, to: ++rev }, none);
      for (const entry of changes) send({ a: [entry], x: [] });
      send({ a: [], x: ['gone'] });
      for (const { entry } of last) send({ a: [entry], x: [] });
      return accounts.summary.h;
    });
    expect(histories).toEqual([digestOf(...final), digestOf(...final)]);
  }
});

describe('counters', () => {
  test('are kept when an account changes and restart when the console sends a new counter number', () => {
    const accounts = holding(a);
    accounts.use('a', { bytes: 100, seconds: 7 }, now);
    accounts.applyPage(page(5, 6, [{ ...a, al: 2 }]), none);
    expect(accounts.counters()).toEqual({ a: { bytes: 100, seconds: 7, first: { 1: now } } });
    accounts.applyPage(page(6, 7, [{ ...a, c: 1 }]), none);
    expect(accounts.counters()).toEqual({});
  });
});

describe('a gateway', () => {
  test('confirms pages, and reports its accounts in the hello, also after a reboot', () => {
    const { gateway, receive, sent, hello } = openGateway();
    expect(hello()).toMatchObject({ caps: expect.arrayContaining(['accounts']), acc: { rev: 0, n: 0, h: '0'.repeat(16) } });
    gateway.faults.refuseAccounts = new Set(['b']);
    receive(page(0, 3, [a, b]));
    expect(sent('acc')).toEqual([{ rev: 3, n: 1, h: digestOf(a), bad: [['b', 'refused']] }]);
    gateway.reboot();
    expect(hello()).toMatchObject({ acc: { rev: 3, n: 1, h: digestOf(a) } });
  });

  test('of an older firmware ignores accounts', () => {
    const { gateway, receive, sent, hello } = openGateway({ version: '02.11.00' });
    receive(page(0, 3, [a]));
    expect(sent('acc')).toEqual([]);
    expect(gateway.accounts.isEmpty).toBe(true);
    expect(hello()).not.toHaveProperty('acc');
    expect(hello().caps).not.toContain('accounts');
  });

  test('drops accounts at a transfer to another VNO, and ignores a malformed page', () => {
    const { gateway, receive, deliver, sent } = openGateway();
    receive(page(0, 3, [a]));
    deliver(downTopic(gateway.sn, 'acc'), '{"from":3}');
    expect(sent('acc')).toHaveLength(1);
    gateway.users.signIn('a');
    gateway.people.forget();
    expect(gateway.accounts.summary).toMatchObject({ rev: 0, n: 0 });
    expect(gateway.users.online).toBe(0);
  });
});
