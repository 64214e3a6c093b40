import { fail } from '../fail.ts';
import type { JobRun } from './job.ts';

/** The rights are those of the request, but the account must still be enabled. */
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
