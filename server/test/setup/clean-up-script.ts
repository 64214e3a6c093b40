import { dropCitusDatabases } from './citus.ts';
import { dropDatabases, removeCluster } from './clean-up.ts';

/** For a process that is exiting and cannot wait. */
const [kind = '', where = '', prefix = ''] = process.argv.slice(2);
if (kind === 'cluster') await removeCluster(where);
else if (kind === 'citus') await dropCitusDatabases(where, prefix);
else await dropDatabases(where, prefix);
