import { sql } from 'kysely';
import type { Deps } from '../kit/deps.ts';
import { startTicker, type Ticker } from '../kit/ticker.ts';
import { isSyncDue, syncOnce } from './access/sync-run.ts';
import { refreshTempReleases } from './device/refresh-temp-releases.ts';
import { chargeOnce } from './metering/run/charge-waiting.ts';

/** Usage is charged, and entries of accounts are made, at the latest this long after their commit. */
const everyMs = 500;

const runAll = async (deps: Deps, what: string, step: (deps: Deps) => Promise<boolean>) => {
  try {
    while (await step(deps));
  } catch (err) {
    deps.log.error({ err }, `${what} failed`);
  }
};

/**
 * One statement reads whether work waits, because most of the time none does. A notification by each report would be slower: PostgreSQL
 * serializes the commits of transactions that notify.
 */
const readDue = async ({ db, clock }: Deps) => {
  const { rows } = await sql<{ usage: boolean; accounts: boolean; releases: boolean }>`
    select exists (select from usage) as usage, ${isSyncDue(clock.now())} as accounts, exists (select from release_change) as releases`.execute(
    db,
  );
  return rows[0] ?? { usage: false, accounts: false, releases: false };
};

/** Charges usage to packages, then brings accounts and release rules on gateways up to date. */
export const runMetering = async (deps: Deps): Promise<void> => {
  try {
    const due = await readDue(deps);
    if (due.usage) await runAll(deps, 'metering', chargeOnce);
    // Charged usage changes accounts.
    if (due.usage || due.accounts) await runAll(deps, 'account synchronization', syncOnce);
    if (due.releases) await runAll(deps, 'temporary release', refreshTempReleases);
  } catch (err) {
    deps.log.error({ err }, 'queues of usage and accounts not read');
  }
};

export const startMetering = (deps: Deps): Ticker => startTicker(() => runMetering(deps), everyMs);
