import type { AccountEntry, BlockReason, Phase } from './account.ts';

/** Counters of an account at one gateway. `first` is the first use of each package, by its id. */
export interface AccountUsage {
  readonly bytes: number;
  readonly seconds: number;
  readonly first: Readonly<Record<number, number>>;
}

/** Service of an account: speeds in KB/s (0: unlimited), the package in use, or the reason why there is none. */
export type AccountService =
  | { readonly mode: 'full' | 'slow'; readonly up: number; readonly down: number; readonly holding: number | null }
  | { readonly mode: 'stop'; readonly reason: BlockReason };

/** End of a package at this gateway. A package that starts at first use lasts `dur` seconds from then. */
export const phaseEnd = ({ h, til, dur }: Phase, { first }: AccountUsage, now: number): number =>
  Math.min(til ?? Infinity, dur === undefined ? Infinity : (first[h] ?? now) + dur);

const isCurrent = (phase: Phase, usage: AccountUsage, now: number) => (phase.from ?? 0) <= now && now < phaseEnd(phase, usage, now);
const hasQuota = ({ b, s }: Phase, { bytes, seconds }: AccountUsage) => bytes < (b ?? Infinity) && seconds < (s ?? Infinity);

/** The first package in order that has time and quota. An extra package needs a current package of the other kind that has been used. */
export const phaseInUse = ({ ph }: AccountEntry, usage: AccountUsage, now: number): Phase | undefined => {
  const current = ph.filter((phase) => isCurrent(phase, usage, now));
  const isRunning = current.some((phase) => !phase.x && (phase.dur === undefined || usage.first[phase.h] !== undefined));
  return current.find((phase) => (isRunning || !phase.x) && hasQuota(phase, usage));
};

/** Makes the same decision as the console, also without a connection. */
export const accountService = (entry: AccountEntry, usage: AccountUsage, now: number): AccountService => {
  if (entry.st) return { mode: 'stop', reason: entry.st };
  if (entry.ex !== undefined && entry.ex <= now) return { mode: 'stop', reason: 'expired' };
  const phase = phaseInUse(entry, usage, now);
  if (phase) return { mode: 'full', up: phase.u, down: phase.d, holding: phase.h };
  const last = entry.ph.filter((one) => !one.x && isCurrent(one, usage, now)).at(-1);
  if (!last) return { mode: 'stop', reason: 'no_package' };
  const [action, up, down] = entry.z;
  if (action === 2) return { mode: 'stop', reason: 'shutdown' };
  return action === 1 ? { mode: 'slow', up, down, holding: null } : { mode: 'full', up: last.u, down: last.d, holding: null };
};

/** Next time at which the service can change without traffic. */
export const nextChange = (entry: AccountEntry, usage: AccountUsage, now: number): number => {
  const times = entry.ph.flatMap((phase) => [phase.from ?? 0, phaseEnd(phase, usage, now), ...(phase.r ?? [])]);
  return Math.min(Infinity, ...[entry.ex ?? Infinity, ...times].filter((at) => at > now));
};

const shifted = (phase: Phase, by: number): Phase => ({ ...phase, ...(phase.b !== undefined && { b: phase.b + by }) });

/** Starts the cycles that are due: the package gets its full quota, and the limits of later packages are shifted. */
export const startCycles = (entry: AccountEntry, usage: AccountUsage, now: number): AccountEntry => {
  let phases = entry.ph;
  for (const [i, phase] of entry.ph.entries()) {
    const due = (phase.r ?? []).filter((at) => at <= now);
    if (due.length === 0 || phase.q === undefined) continue;
    const rest = { ...phase, r: (phase.r ?? []).slice(due.length) };
    if (phase.s !== undefined) {
      phases = phases.with(i, { ...rest, s: usage.seconds + phase.q });
      continue;
    }
    const unused = Math.max(0, (phases[i]?.b ?? 0) - usage.bytes);
    const by = phase.q - unused;
    phases = phases.map((one, n) => (n < i ? one : n === i ? { ...rest, b: usage.bytes + (phase.q ?? 0) } : shifted(one, by)));
  }
  return phases === entry.ph ? entry : { ...entry, ph: [...phases] };
};
