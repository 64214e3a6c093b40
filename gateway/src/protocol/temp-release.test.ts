import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advanceTempReleases,
  changeTempReleaseRule,
  type EndedTempRelease,
  endTempRelease,
  noTempReleases,
  openTempReleases,
  passTempRelease,
  readTempReleaseRule,
  requestTempRelease,
  type TempReleaseRule,
  type TempReleaseState,
  tempReleasesPerGateway,
} from './temp-release.ts';

const defaultRule: TempReleaseRule = { id: 7, t: 300, n: 3, lock: 600, refresh: 86_400, up: 64, down: 128, max: 60 };
const mac = '02:00:00:00:00:01';

/** A gateway with a rule and the ends that it has reported. */
const gatewayWith = (rule: Partial<TempReleaseRule> = {}) => {
  let state = changeTempReleaseRule(noTempReleases, { ...defaultRule, ...rule }, 0).state;
  const ended: EndedTempRelease[] = [];
  const apply = <S extends { readonly state: TempReleaseState; readonly ended: readonly EndedTempRelease[] }>(step: S): S => {
    state = step.state;
    ended.push(...step.ended);
    return step;
  };
  return {
    ended,
    request: (at: number, of = mac) => apply(requestTempRelease(state, of, at)).reply,
    advance: (at: number) => apply(advanceTempReleases(state, at)),
    change: (at: number, next: Partial<TempReleaseRule> | undefined) =>
      apply(changeTempReleaseRule(state, next && { ...defaultRule, ...next }, at)),
    login: (at: number) => apply(endTempRelease(state, mac, at)),
    pass: (u: number, d: number, seconds?: number) => {
      const step = passTempRelease(state, mac, { u, d }, seconds);
      state = step.state;
      return [step.u, step.d];
    },
    open: () => openTempReleases(state).map(([of, { end }]) => [of, end]),
    size: () => state.terminals.size,
  };
};

describe('temporary release', () => {
  test('lasts the time of the rule, and a second request while it is open does not count', () => {
    const { request, advance, ended, pass } = gatewayWith();
    expect(request(10)).toEqual({ ok: true, until: 310, isNew: true });
    expect(request(100)).toEqual({ ok: true, until: 310, isNew: false });
    pass(1000, 2000);
    advance(400);
    expect(ended).toEqual([{ mac, rule: 7, at: 310, why: 'time', u: 1000, d: 2000 }]);
  });

  test('is refused for the fourth time within the window, with the end of the refusal', () => {
    const { request } = gatewayWith();
    expect([request(0), request(1000), request(2000)].map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(request(3000)).toEqual({ ok: false, until: 86_400, reason: 'count' });
    expect(request(86_399).ok).toBe(false);
    expect(request(86_400)).toEqual({ ok: true, until: 86_700, isNew: true });
  });

  test('the lock runs from the end of the last release, also beyond the window', () => {
    const { request } = gatewayWith({ n: 1, t: 100, refresh: 50, lock: 600 });
    request(0);
    expect(request(100)).toMatchObject({ ok: false, until: 700 });
    expect(request(700).ok).toBe(true);
  });

  test('without a window the end of the lock starts the count again', () => {
    const { request } = gatewayWith({ n: 2, t: 100, refresh: 0, lock: 50 });
    expect([request(0).ok, request(100_000).ok]).toEqual([true, true]);
    expect(request(100_100)).toEqual({ ok: false, until: 100_150, reason: 'count' });
    expect([request(100_150).ok, request(100_250).ok]).toEqual([true, true]);
  });

  test('with neither window nor lock the count does not start again', () => {
    const { request } = gatewayWith({ n: 1, refresh: 0, lock: 0 });
    request(0);
    expect(request(10_000_000)).toEqual({ ok: false, until: null, reason: 'count' });
  });

  test('0 is unlimited for time, count and speeds', () => {
    const { request, open, pass } = gatewayWith({ t: 0, n: 0, up: 0, down: 0 });
    expect(request(0)).toEqual({ ok: true, until: null, isNew: true });
    expect(request(1_000_000)).toEqual({ ok: true, until: null, isNew: false });
    expect(open()).toEqual([[mac, null]]);
    expect(pass(10_000_000, 20_000_000, 1)).toEqual([10_000_000, 20_000_000]);
  });

  test('limits the speed of each direction', () => {
    const { request, pass } = gatewayWith();
    request(0);
    expect(pass(10_000_000, 10_000_000, 2)).toEqual([64 * 1024 * 2, 128 * 1024 * 2]);
  });

  test('a login ends the release', () => {
    const { request, login, ended, open } = gatewayWith();
    request(0);
    login(20);
    expect([ended, open()]).toEqual([[{ mac, rule: 7, at: 20, why: 'login', u: 0, d: 0 }], []]);
  });

  test('terminals that change their MAC address share the limit of the gateway', () => {
    const { request } = gatewayWith({ max: 3 });
    const reply = [1, 2, 3, 4].map((n) => request(n, `02:00:00:00:00:0${n}`)).at(-1);
    expect(reply).toEqual({ ok: false, until: 1 + tempReleasesPerGateway.seconds, reason: 'gateway' });
    expect(request(1 + tempReleasesPerGateway.seconds, '02:00:00:00:00:04').ok).toBe(true);
  });

  test('without a rule each request is refused', () => {
    expect(requestTempRelease(noTempReleases, mac, 0).reply).toEqual({ ok: false, until: null, reason: 'no_rule' });
    expect(readTempReleaseRule({})).toBeUndefined();
  });

  test('stores a bounded number of terminals', () => {
    const { request, size } = gatewayWith({ t: 1, refresh: 0, lock: 0, max: 0 });
    for (let n = 0; n < 2100; n++) request(n * 10, `mac ${n}`);
    expect(size()).toBe(2000);
  });
});

describe('a changed rule', () => {
  test('shortens an open release and never prolongs it', () => {
    const { request, change, open } = gatewayWith();
    request(0);
    change(10, { t: 1000 });
    expect(open()).toEqual([[mac, 300]]);
    change(20, { t: 60 });
    expect(open()).toEqual([[mac, 60]]);
    change(30, { t: 0 });
    expect(open()).toEqual([[mac, 60]]);
  });

  test('ends a release at once if it already exceeds the new time', () => {
    const { request, change, ended } = gatewayWith({ t: 0 });
    request(0);
    change(100, { t: 60 });
    expect(ended).toEqual([{ mac, rule: 7, at: 100, why: 'rule', u: 0, d: 0 }]);
  });

  test('keeps the counts; another rule starts them again', () => {
    const { request, change } = gatewayWith({ n: 1, t: 10 });
    request(0);
    change(20, { n: 2, t: 10 });
    expect([request(20).ok, request(40).ok]).toEqual([true, false]);
    change(50, { id: 8, n: 1 });
    expect(request(50).ok).toBe(true);
  });

  test('that is removed ends all releases', () => {
    const { request, change, ended, open } = gatewayWith();
    request(0);
    change(5, undefined);
    expect([ended.map(({ at, why }) => [at, why]), open()]).toEqual([[[5, 'rule']], []]);
    expect(request(6)).toMatchObject({ ok: false, reason: 'no_rule' });
  });
});

/** Simple model: the history of all releases, from which each reply is computed from the start. */
class Model {
  rule: TempReleaseRule | undefined;
  /** `isOfOldRule`: counted together under an earlier rule, which a new rule does not undo. */
  grants: { mac: string; start: number; end: number | null; isOfOldRule?: boolean }[] = [];
  starts: number[] = [];

  #isOver(end: number | null, now: number) {
    return end !== null && end <= now;
  }

  /** Releases of a terminal that count at this time. */
  #window(of: string, now: number, { n, lock, refresh }: TempReleaseRule) {
    const restarts = (list: { start: number; end: number | null }[], at: number) => {
      const last = list.at(-1);
      if (!last || !this.#isOver(last.end, at)) return { isOver: false, until: null };
      if (n === 0) return { isOver: true, until: null };
      const lockEnd = list.length >= n ? (last.end ?? 0) + lock : 0;
      const until =
        refresh > 0
          ? Math.max((list[0]?.start ?? 0) + refresh, lockEnd)
          : list.length >= n && lock > 0
            ? lockEnd
            : Number.POSITIVE_INFINITY;
      return { isOver: until <= at, until: until === Number.POSITIVE_INFINITY ? null : until };
    };
    let list: { start: number; end: number | null }[] = [];
    for (const grant of this.grants.filter((g) => g.mac === of)) {
      if (!grant.isOfOldRule && restarts(list, grant.start).isOver) list = [];
      list.push(grant);
    }
    const { isOver, until } = restarts(list, now);
    return isOver ? { list: [], until: null } : { list, until };
  }

  request(of: string, now: number) {
    const { rule } = this;
    if (!rule) return { ok: false, until: null, reason: 'no_rule' };
    const { list, until } = this.#window(of, now, rule);
    const last = list.at(-1);
    if (last && !this.#isOver(last.end, now)) return { ok: true, until: last.end, isNew: false };
    if (rule.n > 0 && list.length >= rule.n) return { ok: false, until, reason: 'count' };
    let hour: number[] = [];
    for (const start of this.starts) hour = hour.length > 0 && start < (hour[0] ?? 0) + 3600 ? [...hour, start] : [start];
    const since = hour[0] ?? now;
    if (rule.n > 0 && rule.max > 0 && now < since + 3600 && hour.length >= rule.max)
      return { ok: false, until: since + 3600, reason: 'gateway' };
    const end = rule.t === 0 ? null : now + rule.t;
    this.grants.push({ mac: of, start: now, end });
    this.starts.push(now);
    return { ok: true, until: end, isNew: true };
  }

  change(next: TempReleaseRule | undefined, now: number) {
    const { rule } = this;
    this.rule = next;
    if (!next) this.grants = [];
    else {
      // Releases of a window that has ended under the old rule do not count under the new rule.
      const counting = rule ? this.grants.filter((g) => this.#window(g.mac, now, rule).list.includes(g)) : [];
      const remaining = counting.filter((g) => next.id === rule?.id || !this.#isOver(g.end, now));
      this.grants = remaining.map((g) => {
        if (this.#isOver(g.end, now)) return { ...g, isOfOldRule: true };
        const end = next.t === 0 ? g.end : Math.min(g.end ?? Number.POSITIVE_INFINITY, g.start + next.t);
        return { ...g, isOfOldRule: true, end: this.#isOver(end, now) ? now : end };
      });
      if (next.id !== rule?.id) this.grants = this.grants.filter((g) => !this.#isOver(g.end, now));
    }
  }

  open(now: number) {
    return this.grants.filter((g) => !this.#isOver(g.end, now)).map((g) => [g.mac, g.end]);
  }
}

const rule = fc.record({
  id: fc.integer({ min: 1, max: 2 }),
  t: fc.constantFrom(0, 20, 100, 1000),
  n: fc.constantFrom(0, 1, 2, 3),
  lock: fc.constantFrom(0, 50, 600),
  refresh: fc.constantFrom(0, 30, 300, 5000),
  up: fc.constant(0),
  down: fc.constant(0),
  max: fc.constantFrom(0, 2, 5),
});
const action = fc.oneof(
  { weight: 8, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 400 }), mac: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 1, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 4000 }), rule }) },
  { weight: 1, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 100 }), rule: fc.constant(undefined) }) },
);

test('replies and open releases equal those of a model that computes them from the whole history', () => {
  fc.assert(
    fc.property(rule, fc.array(action, { maxLength: 60 }), (first, actions) => {
      const model = new Model();
      let now = 1;
      let { state } = changeTempReleaseRule(noTempReleases, first, now);
      model.change(first, now);
      let granted = 0;
      let ended = 0;
      for (const step of actions) {
        now += step.wait;
        if ('mac' in step) {
          const next = requestTempRelease(state, step.mac, now);
          expect(next.reply).toEqual(model.request(step.mac, now));
          if (next.reply.ok && next.reply.isNew) granted++;
          ended += next.ended.length;
          state = next.state;
        } else {
          const next = changeTempReleaseRule(state, step.rule, now);
          model.change(step.rule, now);
          ended += next.ended.length;
          state = next.state;
        }
        const open = openTempReleases(state).map(([of, { end }]) => [of, end]);
        expect(open.toSorted()).toEqual(model.open(now).toSorted());
        // Each release ends once.
        expect(granted - ended).toBe(open.length);
      }
    }),
    {
      numRuns: 2000,
      // A shorter window does not split releases that were counted together before.
      examples: [
        [
          { id: 1, t: 0, n: 0, lock: 0, refresh: 0, up: 0, down: 0, max: 0 },
          [
            { wait: 0, rule: { id: 1, t: 20, n: 2, lock: 0, refresh: 0, up: 0, down: 0, max: 0 } },
            { wait: 0, mac: 'b' },
            { wait: 30, mac: 'b' },
            { wait: 0, rule: { id: 1, t: 0, n: 2, lock: 600, refresh: 30, up: 0, down: 0, max: 0 } },
            { wait: 20, mac: 'b' },
          ],
        ],
      ],
    },
  );
});
