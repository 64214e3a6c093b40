import type { StatusFinding, StatusSection, StatusSectionName, SystemStatus } from '@farlink/contract/advanced/system-status.ts';
import type { Deps } from '../../kit/deps.ts';
import { readBackup } from './backup.ts';
import { readBroker } from './broker.ts';
import { cachedFor } from './cached.ts';
import { readCertificates } from './certificates.ts';
import { readDatabase } from './database.ts';
import { readEvidence } from './evidence.ts';
import { finding, worstLevel } from './finding.ts';
import { readLag } from './lag.ts';
import { readNodes } from './nodes.ts';
import { readQueues } from './queues.ts';

type StatusParts = { readonly [P in StatusSectionName]: SystemStatus[P] };

/** A part that does not respond in this time counts as failed. */
const longestMs = 5000;

const withinTime = <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new Error(`no reply after ${longestMs} ms`)), longestMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

const unreadable = (name: string): StatusSection<never> => ({
  level: 'critical',
  findings: finding(
    `unreadable:${name}`,
    'critical',
    ['状态无法读取', 'The state could not be read'],
    ['在日志中查找 status part failed；检查数据库', 'Search the log for status part failed, and check the database'],
  ),
  figures: null,
});

/** Reads a part at most every two seconds. A part that fails does not stop the others. */
const cachedPart = <F>(name: StatusSectionName, read: (deps: Deps) => Promise<StatusSection<F>>) => {
  const shared = cachedFor(2, read);
  return async (deps: Deps): Promise<StatusSection<F>> => {
    try {
      return await withinTime(shared(deps));
    } catch (err) {
      deps.log.error({ err, part: name }, 'status part failed');
      return unreadable(name);
    }
  };
};

const read = {
  nodes: cachedPart('nodes', readNodes),
  lag: cachedPart('lag', readLag),
  queues: cachedPart('queues', readQueues),
  database: cachedPart('database', readDatabase),
  backup: cachedPart('backup', readBackup),
  certificates: cachedPart('certificates', readCertificates),
  broker: cachedPart('broker', readBroker),
  evidence: cachedPart('evidence', readEvidence),
};

/** Two connections at a time, so that the page works when the pool is nearly used up. */
const readAll = async (deps: Deps): Promise<StatusParts> => {
  const [first, second] = await Promise.all([
    (async () => ({
      nodes: await read.nodes(deps),
      lag: await read.lag(deps),
      queues: await read.queues(deps),
      broker: await read.broker(deps),
    }))(),
    (async () => ({
      database: await read.database(deps),
      backup: await read.backup(deps),
      certificates: await read.certificates(deps),
      evidence: await read.evidence(deps),
    }))(),
  ]);
  return { ...first, ...second };
};

export const readStatus = async (deps: Deps): Promise<SystemStatus> => {
  const parts = await readAll(deps);
  return { at: deps.clock.now(), level: worstLevel(Object.values(parts).map(({ level }) => level)), ...parts };
};

export const findingsOf = ({ at: _, level: __, ...parts }: SystemStatus): StatusFinding[] =>
  Object.values(parts).flatMap(({ findings }) => findings);
