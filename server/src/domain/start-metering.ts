import { sql } from 'kysely';
import type { Deps } from '../kit/deps.ts';
import { openListener } from '../kit/listener.ts';
import { startTicker, type Ticker } from '../kit/ticker.ts';
import { isSyncDue, syncOnce } from './access/sync-run.ts';
import { refreshTempReleases } from './device/refresh-temp-releases.ts';
import { chargeOnce } from './metering/run/charge-waiting.ts';

/** Usage is charged, and entries of accounts are made, at the latest this long after their commit. */
const everyMs = 500;
/** After these runs without work metering sleeps, until a statement that adds work notifies it (`wake_metering` of the database). */
const runsBeforeSleep = 4;
const channel = 'farlink_metering';
const sleepLock = 728_465_040;
/** Work that becomes due by time does not notify: a gateway that lost its accounts again within a minute. */
const lookAsleepMs = 15_000;

const runAll = async (deps: Deps, what: string, step: (deps: Deps) => Promise<boolean>) => {
  try {
    while (await step(deps));
  } catch (err) {
    deps.log.error({ err }, `${what} failed`);
  }
};

/** One statement reads whether work waits, because most of the time none does. */
const readDue = async ({ db, clock }: Deps) => {
  const { rows } = await sql<{ usage: boolean; accounts: boolean; releases: boolean }>`
    select exists (select from usage) as usage, ${isSyncDue(clock.now())} as accounts, exists (select from release_change) as releases`.execute(
    db,
  );
  return rows[0] ?? { usage: false, accounts: false, releases: false };
};

/** Charges usage to packages, then brings accounts and release rules on gateways up to date. Returns whether there was work. */
export const runMetering = async (deps: Deps): Promise<boolean> => {
  try {
    const due = await readDue(deps);
    if (due.usage) await runAll(deps, 'metering', chargeOnce);
    // Charged usage changes accounts.
    if (due.usage || due.accounts) await runAll(deps, 'account synchronization', syncOnce);
    if (due.releases) await runAll(deps, 'temporary release', refreshTempReleases);
    return due.usage || due.accounts || due.releases;
  } catch (err) {
    deps.log.error({ err }, 'queues of usage and accounts not read');
    return true;
  }
};

/**
 * Runs metering twice a second while there is work. Without work it sleeps: it holds a lock that tells transactions with new work to notify.
 * While it is awake they do not, because PostgreSQL serializes the commits of transactions that notify. Of several processes one sleeps.
 */
export const startMetering = (deps: Deps): Ticker => {
  let isAsleep = false;
  let hasLock = false;
  let quietRuns = 0;
  let lookedAt = 0;
  const listener = openListener(deps.pool, channel, () => {
    isAsleep = false;
  });
  const run = async () => {
    lookedAt = performance.now();
    const hadWork = await runMetering(deps);
    quietRuns = hadWork ? 0 : quietRuns + 1;
    if (hadWork) isAsleep = false;
  };
  const fallAsleep = async () => {
    quietRuns = 0;
    hasLock = await listener.tryLock(sleepLock);
    if (!hasLock) return;
    isAsleep = true;
    // Work that was committed before the lock sent no notification.
    await run();
  };
  const unlock = async () => {
    if (hasLock) await listener.unlock(sleepLock);
    hasLock = false;
  };
  /** A new connection has no lock, and may have missed a notification. */
  const listen = async () => {
    const isNew = await listener.ensure().catch((err) => {
      deps.log.warn({ err }, 'metering listener failed, polling only');
      return true;
    });
    if (!isNew) return;
    isAsleep = false;
    hasLock = false;
  };
  const tick = async () => {
    await listen();
    if (isAsleep && performance.now() - lookedAt < lookAsleepMs) return;
    if (!isAsleep) await unlock();
    await run();
    if (!hasLock && quietRuns >= runsBeforeSleep) await fallAsleep();
  };
  const ticker = startTicker(() => tick().catch((err) => deps.log.warn({ err }, 'metering listener failed')), everyMs);
  return {
    first: ticker.first,
    stop: async () => {
      await ticker.stop();
      await unlock().catch(() => {});
      listener.close();
    },
  };
};
