import { fail } from '../fail.ts';
import type { JobRun } from './job.ts';

/** The account behind the rights of the request must still be one that may log in. */
export const jobOwnerOf = async ({ deps, job }: JobRun) => {
  const account = await deps.db
    .selectFrom('customer')
    .select('id')
    .where('id', '=', job.customer_id)
    .where('status', '=', 1)
    .executeTakeFirst();
  if (!account || !job.rights) throw fail('account_disabled');
  return job.rights;
};
