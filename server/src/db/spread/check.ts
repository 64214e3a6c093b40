import type { Pool } from 'pg';
import { reasonOf, StartError } from '../../env/start-error.ts';
import { type Cluster, queryWorkers, readCluster, readSpread } from './cluster.ts';
import { spreadTables } from './tables.ts';

/** Citus 12 is the first version with PostgreSQL 15 and identity columns of spread tables. */
const oldestCitus = 12;

export interface Faults {
  /** Data could be refused or lost, or statements fail. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

interface WorkerState {
  readonly version: string | null;
  readonly prepared: number;
  readonly wal: string;
  readonly encoding: string;
  readonly collate: string;
}

const stateSql = `select json_build_object('version', (select extversion from pg_extension where extname = 'citus'),
  'prepared', current_setting('max_prepared_transactions')::int, 'wal', current_setting('wal_level'),
  'encoding', pg_encoding_to_char(encoding), 'collate', datcollate)::text from pg_database where datname = current_database()`;

const coordinatorFaults = async (pool: Pool, { version, hasCoordinator, workers }: Cluster): Promise<string[]> => {
  const { rows } = await pool.query<{ mode: string; plan: string }>(
    `select current_setting('citus.multi_shard_modify_mode') as mode, current_setting('plan_cache_mode') as plan`,
  );
  const { mode, plan } = rows[0] ?? { mode: '', plan: '' };
  return [
    ...(Number.parseInt(version, 10) < oldestCitus ? [`Citus is ${version}: Farlink needs ${oldestCitus} or newer`] : []),
    ...(workers.length === 0 ? ['The coordinator has no active worker: add one with citus_add_node'] : []),
    ...(hasCoordinator ? [] : ['The coordinator is not in pg_dist_node: call citus_set_coordinator_host']),
    ...(mode === 'sequential' ? [] : [`citus.multi_shard_modify_mode is ${mode}: it must be sequential for this database`]),
    ...(plan === 'force_generic_plan' ? ['plan_cache_mode is force_generic_plan: charts fail with it, set it to auto'] : []),
  ];
};

const workerFaults = (name: string, worker: WorkerState, own: Omit<WorkerState, 'prepared' | 'wal'>): Faults => {
  const errors = [
    ...(worker.version === own.version
      ? []
      : [`worker ${name} has Citus ${worker.version ?? 'not installed'}, the coordinator ${own.version}`]),
    ...(worker.prepared > 0 ? [] : [`max_prepared_transactions of worker ${name} is 0: a commit over several workers needs it`]),
    ...(worker.encoding === own.encoding && worker.collate === own.collate
      ? []
      : [`worker ${name} sorts by ${worker.encoding} ${worker.collate}, the coordinator by ${own.encoding} ${own.collate}`]),
  ];
  const warnings =
    worker.wal === 'logical' ? [] : [`wal_level of worker ${name} is ${worker.wal}: shards can be moved only with writes blocked`];
  return { errors, warnings };
};

/** A worker that does not answer is a warning: messages wait until it is back. */
const allWorkerFaults = async (pool: Pool): Promise<Faults[]> => {
  const { rows: own } = await pool.query<{ json: string }>(`${stateSql.replace('::text from', '::text as json from')}`);
  const coordinator: WorkerState = JSON.parse(own[0]?.json ?? '{}');
  return (await queryWorkers(pool, stateSql)).map(({ name, success, result }) => {
    if (!success) return { errors: [], warnings: [`worker ${name} does not answer: ${result}`] };
    return workerFaults(name, JSON.parse(result), coordinator);
  });
};

/** Required settings of a cluster. */
export const clusterFaults = async (pool: Pool, cluster: Cluster): Promise<Faults> => {
  const all = [{ errors: await coordinatorFaults(pool, cluster), warnings: [] }, ...(await allWorkerFaults(pool))];
  return { errors: all.flatMap(({ errors }) => errors), warnings: all.flatMap(({ warnings }) => warnings) };
};

/** At the start, on Citus only: refuses settings with which data is not stored, and warns of others. */
export const checkSpread = async (pool: Pool, warn: (what: string) => void): Promise<void> => {
  const spread = await readSpread(pool);
  if (spread.size === 0) return;
  const cluster = await readCluster(pool);
  if (!cluster) return;
  let faults: Faults;
  try {
    faults = await clusterFaults(pool, cluster);
  } catch (error) {
    throw new StartError(`The Citus cluster cannot be checked: ${reasonOf(error)}.`);
  }
  const local = spreadTables.filter((table) => !spread.has(table));
  if (faults.errors.length > 0)
    throw new StartError(
      `The Citus cluster is not ready: ${faults.errors.join('; ')}. \`npm run spread\` sets what it can (docs/citus.md).`,
    );
  for (const one of faults.warnings) warn(one);
  if (local.length > 0) warn(`not spread yet: ${local.join(', ')}; run \`npm run spread\``);
};
