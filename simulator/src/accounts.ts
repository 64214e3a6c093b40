import {
  type AccountEntry,
  type AccountListVersion,
  type AccountReport,
  type DownAccounts,
  digestText,
  entryHash,
} from '@farlink/gateway/protocol/account.ts';
import {
  type AccountService,
  type AccountUsage,
  accountService,
  phaseInUse,
  startCycles,
} from '@farlink/gateway/protocol/account-service.ts';

interface Counters {
  bytes: number;
  seconds: number;
  readonly first: Record<number, number>;
}

interface Stored {
  readonly hash: bigint;
  readonly counters: Counters;
  /** The entry with the cycles that have started since it was received. */
  entry: AccountEntry;
}

/** An account and its use at this gateway. */
export interface Account {
  readonly entry: AccountEntry;
  readonly usage: AccountUsage;
}

/** Highest cost of a verifier that this gateway can compute: 2^17 blocks of 1 KB. */
const maxCost = 17;

const faultOf = ({ acc, v }: AccountEntry, refuse: ReadonlySet<string>): string | undefined => {
  if (refuse.has(acc)) return 'refused';
  const cost = Number(v.split('.', 1)[0]);
  return cost < 1 || cost > maxCost ? 'verifier not supported' : undefined;
};

/** Accounts that the console sent to this gateway, with their counters. They survive a reboot. */
export class Accounts {
  #stored = new Map<string, Stored>();
  #revision = 0;
  #digest = 0n;
  /** Accounts received since the start of a complete transfer. */
  #arrived: Set<string> | undefined;

  /** Revision, number and digest. */
  get summary(): AccountListVersion {
    return { rev: this.#revision, n: this.#stored.size, h: digestText(this.#digest) };
  }

  get isEmpty(): boolean {
    return this.#stored.size === 0;
  }

  /** Applies a page if it follows the stored revision. `changed` are the accounts that were received or removed. */
  applyPage({ from, to, a, x, all, end }: DownAccounts, refuse: ReadonlySet<string>): { report: AccountReport; changed: string[] } {
    if (!all && from !== this.#revision) return { report: this.summary, changed: [] };
    if (all) this.#arrived = new Set();
    const refused: [string, string][] = [];
    const changed = [...x];
    for (const name of x) this.#remove(name);
    for (const entry of a) {
      this.#arrived?.add(entry.acc);
      const fault = faultOf(entry, refuse);
      if (fault !== undefined) refused.push([entry.acc, fault]);
      else {
        this.#store(entry);
        changed.push(entry.acc);
      }
    }
    if (end) changed.push(...this.#removeOthers());
    this.#revision = to;
    return { report: { ...this.summary, ...(refused.length > 0 && { bad: refused }) }, changed };
  }

  /** Ends a complete transfer: accounts that were not received are removed. */
  #removeOthers(): string[] {
    const arrived = this.#arrived;
    this.#arrived = undefined;
    if (!arrived) return [];
    const others = [...this.#stored.keys()].filter((name) => !arrived.has(name));
    for (const name of others) this.#remove(name);
    return others;
  }

  #store(entry: AccountEntry) {
    const was = this.#stored.get(entry.acc);
    const hash = entryHash(entry);
    this.#digest ^= hash ^ (was?.hash ?? 0n);
    const counters = was && was.entry.c === entry.c ? was.counters : { bytes: 0, seconds: 0, first: {} };
    this.#stored.set(entry.acc, { hash, counters, entry });
  }

  #remove(name: string) {
    this.#digest ^= this.#stored.get(name)?.hash ?? 0n;
    this.#stored.delete(name);
  }

  /** Everything is lost, as after a factory reset or a transfer to another VNO. */
  forget() {
    this.#stored = new Map();
    this.#revision = 0;
    this.#digest = 0n;
    this.#arrived = undefined;
  }

  has(name: string): boolean {
    return this.#stored.has(name);
  }

  /** The account at this time: cycles that are due have started. */
  get(name: string, now: number): Account | undefined {
    const stored = this.#stored.get(name);
    if (!stored) return undefined;
    stored.entry = startCycles(stored.entry, stored.counters, now);
    return { entry: stored.entry, usage: stored.counters };
  }

  /** Undefined: not an account of this gateway. */
  service(name: string, now: number): AccountService | undefined {
    const account = this.get(name, now);
    return account && accountService(account.entry, account.usage, now);
  }

  /** Bytes until the package in use is used up. */
  remainingBytes(name: string, now: number): number {
    const account = this.get(name, now);
    const phase = account && phaseInUse(account.entry, account.usage, now);
    return phase?.b === undefined ? Number.POSITIVE_INFINITY : phase.b - (account?.usage.bytes ?? 0);
  }

  /** Counts use. The package in use starts with it. */
  use(name: string, { bytes = 0, seconds = 0 }: { bytes?: number; seconds?: number }, now: number) {
    const account = this.get(name, now);
    const counters = this.#stored.get(name)?.counters;
    if (!account || !counters) return;
    const phase = phaseInUse(account.entry, account.usage, now);
    if (phase) counters.first[phase.h] ??= now;
    counters.bytes += bytes;
    counters.seconds += seconds;
  }

  /** Counters of the accounts that were used. */
  counters(): Record<string, AccountUsage> {
    const used = [...this.#stored].filter(([, { counters }]) => counters.bytes > 0 || Object.keys(counters.first).length > 0);
    return Object.fromEntries(used.map(([name, { counters }]) => [name, { ...counters, first: { ...counters.first } }]));
  }
}
