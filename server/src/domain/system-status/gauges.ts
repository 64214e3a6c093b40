import type { StatusLevel } from '@farlink/contract/advanced/system-status.ts';
import type { Deps } from '../../kit/deps.ts';
import type { QueriedGauge } from '../../kit/http/metrics.ts';
import { readBackupFigures } from './backup.ts';
import { cachedFor } from './cached.ts';
import { readCertificateFigures } from './certificates.ts';
import { readLagFigures } from './lag.ts';
import { readJobKinds } from './queues.ts';
import { readStatus } from './read-status.ts';

const levels: Readonly<Record<StatusLevel, number>> = { ok: 0, warning: 1, critical: 2 };

const lagOf = (deps: Deps, key: 'ingest_s' | 'rollup_s' | 'seal_s' | 'job_s', name: string, help: string): QueriedGauge => ({
  name,
  help,
  read: async () => ({ '': (await readLagFigures(deps))[key] }),
});

const levelsOf = async (deps: Deps): Promise<Record<string, number>> => {
  const { at: _, level, ...parts } = await readStatus(deps);
  const each = Object.entries(parts).map(([name, part]) => [name, levels[part.level]] as const);
  return Object.fromEntries([['all', levels[level]], ...each]);
};

/** The whole status at most twice a minute, however many scrapers there are. */
const readLevels = cachedFor(30, levelsOf);

/** The system status as metrics. Figures of the whole installation, the same in each process. */
export const statusGauges = (deps: Deps): QueriedGauge[] => [
  lagOf(deps, 'ingest_s', 'farlink_ingest_lag_seconds', 'Age of the oldest reported usage that is not charged'),
  lagOf(deps, 'rollup_s', 'farlink_rollup_lag_seconds', 'Age of the oldest report of traffic that is not worked out'),
  lagOf(deps, 'seal_s', 'farlink_seal_lag_seconds', 'Age of the oldest audit batch of a completed minute that is not sealed'),
  lagOf(deps, 'job_s', 'farlink_job_lag_seconds', 'Time that the oldest due job has waited to start'),
  {
    name: 'farlink_jobs_waiting',
    help: 'Jobs that wait, due or not, by kind',
    label: 'kind',
    read: async () => Object.fromEntries((await readJobKinds(deps)).map(({ kind, waiting }) => [kind, waiting])),
  },
  {
    name: 'farlink_jobs_failed',
    help: 'Jobs that failed in the last 24 hours, by kind',
    label: 'kind',
    read: async () =>
      Object.fromEntries((await readJobKinds(deps)).filter(({ failed }) => failed > 0).map(({ kind, failed }) => [kind, failed])),
  },
  {
    name: 'farlink_backup_age_seconds',
    help: 'Age of the last successful backup; missing if the console has made none',
    read: async (): Promise<Record<string, number>> => {
      const { last_at } = await readBackupFigures(deps);
      return last_at === null ? {} : { '': Math.max(0, deps.clock.now() - last_at) };
    },
  },
  {
    name: 'farlink_certificate_expiry_seconds',
    help: 'Time until a certificate expires, by host',
    label: 'host',
    read: async () =>
      // The same host may have several certificates; the list begins with the one that ends first.
      Object.fromEntries(
        [...(await readCertificateFigures(deps))].reverse().map(({ host, expire_at }) => [host, expire_at - deps.clock.now()]),
      ),
  },
  {
    name: 'farlink_status_level',
    help: 'Level of each part of the system status: 0 ok, 1 warning, 2 critical',
    label: 'part',
    read: () => readLevels(deps),
  },
];
