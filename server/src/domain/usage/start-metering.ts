import type { Deps } from '../../kit/deps.ts';
import { startTicker, type Ticker } from '../../kit/ticker.ts';
import { syncOnce } from '../access/sync-run.ts';
import { refreshReleases } from '../release/refresh-release.ts';
import { chargeOnce } from './charge-usage.ts';

/** Usage is charged, and entries of accounts are made, at the latest this long after their commit. */
const everyMs = 500;

const runAll = async (deps: Deps, what: string, step: (deps: Deps) => Promise<boolean>) => {
  try {
    while (await step(deps));
  } catch (err) {
    deps.log.error({ err }, `${what} failed`);
  }
};

/** Charges usage to packages, then brings accounts and release rules on gateways up to date. */
export const startMetering = (deps: Deps): Ticker =>
  startTicker(async () => {
    await runAll(deps, 'metering', chargeOnce);
    await runAll(deps, 'account synchronization', syncOnce);
    await runAll(deps, 'temporary release', refreshReleases);
  }, everyMs);
