import { int, type JsonObject, type Of, obj, parse } from './shape.ts';

/** Section with the rule for temporary release. `{}`: no release. */
export const tempReleaseSection = 'release';

/** Limit of releases per gateway in `seconds`, because terminals can change their MAC address. Used if the rule limits the count. */
export const tempReleasesPerGateway = { max: 60, seconds: 3600 } as const;

const maxTerminals = 2000;

const maxValue = 2_147_483_647;
const tempReleaseRule = obj({
  /** 0: the gateway's own configuration. */
  id: int(0, Number.MAX_SAFE_INTEGER),
  /** Seconds of a release; 0: without end. */
  t: int(0, maxValue),
  /** Releases of a MAC address per window; 0: without limit. */
  n: int(0, maxValue),
  /** Seconds without release after the last one of the count; 0: none. */
  lock: int(0, maxValue),
  /** Seconds of a window; 0: none. */
  refresh: int(0, maxValue),
  /** Speeds in KB/s; 0: without limit. */
  up: int(0, maxValue),
  down: int(0, maxValue),
  /** Releases of the gateway per hour; 0: without limit. */
  max: int(0, maxValue),
});
export type TempReleaseRule = Of<typeof tempReleaseRule>;

export const readTempReleaseRule = (doc: JsonObject): TempReleaseRule | undefined => {
  const parsed = parse(tempReleaseRule, doc);
  return 'value' in parsed ? parsed.value : undefined;
};

/** Count and last release of a MAC address. */
interface Terminal {
  /** Start of the first release of the window. */
  readonly since: number;
  readonly used: number;
  readonly start: number;
  /** Null: without end. */
  readonly end: number | null;
  readonly isOpen: boolean;
  readonly u: number;
  readonly d: number;
}

/** All releases of a gateway. Times are seconds of a clock that only moves forward. */
export interface TempReleaseState {
  readonly rule: TempReleaseRule | undefined;
  readonly terminals: ReadonlyMap<string, Terminal>;
  /** Releases of the gateway in the current hour. */
  readonly hour: { readonly since: number; readonly used: number };
}

export const noTempReleases: TempReleaseState = { rule: undefined, terminals: new Map(), hour: { since: 0, used: 0 } };

/** `rule`: the rule changed or was removed; `login`: the terminal has access now. */
export const tempReleaseEnds = ['time', 'rule', 'login'] as const;
export type TempReleaseEnd = (typeof tempReleaseEnds)[number];
/** Reported refusals. Without a rule there is nothing to report. */
export const tempReleaseRefusals = ['count', 'gateway'] as const;
export type TempReleaseRefusal = (typeof tempReleaseRefusals)[number] | 'no_rule';

/** Purpose of a release: the portal page, or a payment. */
export const tempReleasePurposes = ['user', 'pay'] as const;
export type TempReleasePurpose = (typeof tempReleasePurposes)[number];

export interface EndedTempRelease {
  readonly mac: string;
  readonly rule: number;
  readonly at: number;
  readonly why: TempReleaseEnd;
  readonly u: number;
  readonly d: number;
}

export type TempReleaseReply =
  | { readonly ok: true /** Null: without end. */; readonly until: number | null; readonly isNew: boolean }
  | { readonly ok: false /** Null: not by time alone. */; readonly until: number | null; readonly reason: TempReleaseRefusal };

interface Step {
  readonly state: TempReleaseState;
  readonly ended: readonly EndedTempRelease[];
}

/** When the count of a closed terminal starts again; null: never. */
const restartOf = ({ since, used, end }: Terminal, { n, lock, refresh }: TempReleaseRule): number | null => {
  if (n === 0) return 0;
  const unlocked = used >= n ? (end ?? 0) + lock : 0;
  if (refresh > 0) return Math.max(since + refresh, unlocked);
  return used >= n && lock > 0 ? unlocked : null;
};

const isPast = (at: number | null, now: number) => at !== null && at <= now;

const endOf = (mac: string, { u, d }: Terminal, rule: TempReleaseRule, at: number, why: TempReleaseEnd): EndedTempRelease => ({
  mac,
  rule: rule.id,
  at,
  why,
  u,
  d,
});

/** Ends releases whose time is over, and removes counts that start again. */
export const advanceTempReleases = (state: TempReleaseState, now: number): Step => {
  const { rule } = state;
  const ended: EndedTempRelease[] = [];
  const terminals = new Map<string, Terminal>();
  if (!rule) return { state, ended };
  for (const [mac, was] of state.terminals) {
    const isOver = was.isOpen && isPast(was.end, now);
    if (isOver) ended.push(endOf(mac, was, rule, was.end ?? now, 'time'));
    const terminal = isOver ? { ...was, isOpen: false } : was;
    if (terminal.isOpen || !isPast(restartOf(terminal, rule), now)) terminals.set(mac, terminal);
  }
  return { state: { ...state, terminals }, ended };
};

/** The earlier of the old end and the new duration. */
const shortened = ({ start, end }: Terminal, { t }: TempReleaseRule): number | null =>
  t === 0 ? end : Math.min(end ?? Number.POSITIVE_INFINITY, start + t);

/**
 * A new rule applies at once. An open release ends at the earlier of its old end and its start plus the new duration. Counts stay while the
 * id is the same; under another rule they start again.
 */
export const changeTempReleaseRule = (before: TempReleaseState, next: TempReleaseRule | undefined, now: number): Step => {
  const { state, ended: due } = advanceTempReleases(before, now);
  const { rule } = state;
  if (!rule) return { state: { ...noTempReleases, hour: state.hour, rule: next }, ended: due };
  const ended = [...due];
  const terminals = new Map<string, Terminal>();
  for (const [mac, terminal] of state.terminals) {
    const end = next && terminal.isOpen ? shortened(terminal, next) : terminal.end;
    const isCut = terminal.isOpen && (!next || isPast(end, now));
    if (isCut) ended.push(endOf(mac, terminal, rule, now, 'rule'));
    const changed = { ...terminal, end: isCut ? now : end, isOpen: terminal.isOpen && !isCut };
    if (next?.id === rule.id) terminals.set(mac, changed);
    else if (next && changed.isOpen) terminals.set(mac, { ...changed, since: changed.start, used: 1 });
  }
  return { state: { ...state, rule: next, terminals }, ended };
};

/** At the limit, removes the oldest closed terminal. Undefined: all releases are open. */
const evictIfFull = (terminals: ReadonlyMap<string, Terminal>): Map<string, Terminal> | undefined => {
  const copy = new Map(terminals);
  if (copy.size < maxTerminals) return copy;
  const oldest = [...copy].find(([, { isOpen }]) => !isOpen);
  if (!oldest) return undefined;
  copy.delete(oldest[0]);
  return copy;
};

/** A terminal requests a release. An open one is confirmed and does not count again. */
export const requestTempRelease = (before: TempReleaseState, mac: string, now: number): Step & { readonly reply: TempReleaseReply } => {
  const { state, ended } = advanceTempReleases(before, now);
  const { rule, terminals } = state;
  const refuse = (reason: TempReleaseRefusal, until: number | null) => ({ state, ended, reply: { ok: false, until, reason } as const });
  if (!rule) return refuse('no_rule', null);
  const was = terminals.get(mac);
  if (was?.isOpen) return { state, ended, reply: { ok: true, until: was.end, isNew: false } };
  if (was && rule.n > 0 && was.used >= rule.n) return refuse('count', restartOf(was, rule));
  const isNewHour = state.hour.used === 0 || now >= state.hour.since + tempReleasesPerGateway.seconds;
  const hour = isNewHour ? { since: now, used: 0 } : state.hour;
  if (rule.n > 0 && rule.max > 0 && hour.used >= rule.max) return refuse('gateway', hour.since + tempReleasesPerGateway.seconds);
  const others = was ? new Map(terminals) : evictIfFull(terminals);
  if (!others) return refuse('gateway', null);
  const end = rule.t === 0 ? null : now + rule.t;
  // The newest is last, so that the oldest is removed first.
  others.delete(mac);
  others.set(mac, { since: was?.since ?? now, used: (was?.used ?? 0) + 1, start: now, end, isOpen: true, u: 0, d: 0 });
  return {
    state: { ...state, terminals: others, hour: { ...hour, used: hour.used + 1 } },
    ended,
    reply: { ok: true, until: end, isNew: true },
  };
};

/** Ends the release of a terminal that has access now. */
export const endTempRelease = (before: TempReleaseState, mac: string, now: number): Step => {
  const { state, ended } = advanceTempReleases(before, now);
  const was = state.terminals.get(mac);
  if (!state.rule || !was?.isOpen) return { state, ended };
  const terminals = new Map(state.terminals).set(mac, { ...was, end: now, isOpen: false });
  return { state: { ...state, terminals }, ended: [...ended, endOf(mac, was, state.rule, now, 'login')] };
};

export const openTempReleases = ({ terminals }: TempReleaseState): readonly (readonly [mac: string, release: Terminal])[] =>
  [...terminals].filter(([, { isOpen }]) => isOpen);

const kilobyte = 1024;
const limited = (bytes: number, speed: number, seconds: number) =>
  speed === 0 ? bytes : Math.min(bytes, Math.floor(speed * kilobyte * seconds));

/** Counts the traffic of an open release. Without `seconds` no speed limit applies. */
export const passTempRelease = (
  state: TempReleaseState,
  mac: string,
  traffic: { readonly u: number; readonly d: number },
  seconds?: number,
): { readonly state: TempReleaseState; readonly u: number; readonly d: number } => {
  const was = state.terminals.get(mac);
  const { rule } = state;
  if (!rule || !was?.isOpen) return { state, u: 0, d: 0 };
  const [u, d] =
    seconds === undefined ? [traffic.u, traffic.d] : [limited(traffic.u, rule.up, seconds), limited(traffic.d, rule.down, seconds)];
  const terminals = new Map(state.terminals).set(mac, { ...was, u: was.u + u, d: was.d + d });
  return { state: { ...state, terminals }, u, d };
};
