import type { JobKinds } from '../src/kit/jobs/job.ts';

/** The same kinds with a round each second, so that a test need not wait for the next one. With a name: only this periodic kind. */
export const everySecond = (kinds: JobKinds, only?: string): JobKinds =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, { everyS, ...kind }]) => [
      name,
      everyS === undefined || (only !== undefined && name !== only) ? kind : { ...kind, everyS: 1 },
    ]),
  );
