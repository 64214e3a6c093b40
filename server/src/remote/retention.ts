import { limits } from '@farlink/contract/limits.ts';
import type { Deps } from '../kit/deps.ts';
import { openFileStore } from '../kit/files/open-file-store.ts';
import type { JobKinds, JobRun } from '../kit/jobs/job.ts';

const atOnce = 500;

/** Deletes old sessions with their recordings. The operator log keeps their entries. */
const forgetSome = async ({ db, config, clock }: Deps): Promise<number> => {
  const old = await db
    .selectFrom('remote_session')
    .select(['id', 'recording_key'])
    .where('create_at', '<', clock.now() - limits.remoteRetentionDays * 86_400)
    .where('end_at', 'is not', null)
    .orderBy('create_at')
    .limit(atOnce)
    .execute();
  const store = openFileStore(config);
  for (const { recording_key } of old) if (recording_key !== null) await store.remove(recording_key);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('remote_session').where('id', 'in', ids).execute();
  return ids.length;
};

export const forgetSessions = async ({ deps, signal }: Pick<JobRun, 'deps' | 'signal'>) => {
  while ((await forgetSome(deps)) === atOnce) signal.throwIfAborted();
};

export const remoteJobs: JobKinds = { forget_remote: { run: forgetSessions, everyS: 86_400 } };
