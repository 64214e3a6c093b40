import type { Text } from '@farlink/contract/kit/text.ts';
import type { OpeningWay } from '@farlink/contract/user/opening.ts';
import type { Db } from '../../../kit/deps.ts';
import type { ImportRow } from '../../../kit/formats/import-sheet.ts';
import type { Job, JobKind, JobKinds, JobRun } from '../../../kit/jobs/job.ts';
import { jobOwnerOf } from '../../../kit/jobs/job-owner.ts';
import { writeLog } from '../../../kit/log/record.ts';
import { open } from '../../../kit/session/secret.ts';
import { changeOf, contentOf, resultOf, wayName } from './begin-opening.ts';
import { type CardRule, expandCards, expandNumbers, type NumberRule } from './expand-rule.ts';
import { validateRows } from './import-users.ts';
import { openAccounts } from './open-accounts.ts';
import type { Candidate, Terms } from './terms.ts';

interface Payload {
  readonly terms: Terms;
  readonly total: number;
  readonly sealed: string;
  readonly ip: string;
  readonly user_agent: string;
}

const isPayload = (json: unknown): json is Payload => typeof json === 'object' && json !== null && 'terms' in json && 'sealed' in json;

const payloadOf = ({ id, payload }: Job): Payload => {
  if (!isPayload(payload)) throw new Error(`job ${id} is no opening`);
  return payload;
};

const specOf = <Spec>({ deps, job }: JobRun): Spec => JSON.parse(open(deps.config.secretKey, payloadOf(job).sealed));

/** Builds the candidates for each kind of opening. Validating rows is the first half of the progress. */
const expand: Record<OpeningWay, (run: JobRun, db: Db) => Promise<readonly Candidate[]>> = {
  open_batch: async (run) => expandNumbers(specOf<NumberRule>(run)),
  open_temp: (run, db) => expandCards(db, specOf<CardRule>(run)),
  open_import: (run, db) => {
    const { terms, total } = payloadOf(run.job);
    const onValidated = async (count: number) => {
      run.signal.throwIfAborted();
      await run.progress((50 * count) / total);
    };
    return validateRows(specOf<readonly ImportRow[]>(run), {
      db,
      config: run.deps.config,
      now: run.deps.clock.now(),
      agentId: terms.place.agent_id,
      packageId: terms.package_id,
      onValidated,
    });
  },
};

/** Removes the sealed data when the job is done. */
const forget = async (db: Db, job: Job) => {
  const { total } = payloadOf(job);
  await db
    .updateTable('job')
    .set({ payload: JSON.stringify({ total }) })
    .where('id', '=', job.id)
    .execute();
};

const run = async (run: JobRun) => {
  const { deps, job } = run;
  const me = await jobOwnerOf(run);
  const { terms, total, ip, user_agent } = payloadOf(job);
  const candidates = await expand[terms.way](run, deps.db);
  await run.progress(50);
  const key = deps.config.secretKey;
  await run.commit(async (db) => {
    const outcome = await openAccounts({ db, key, me, id: job.id, now: deps.clock.now }, terms, candidates);
    const message = outcome.opened.length === 0 ? outcome.faults[0]?.message : undefined;
    await writeLog(
      db,
      me,
      { ip, userAgent: user_agent, now: deps.clock.now },
      { module: 'user', action: 'create', content: contentOf(terms, outcome), ...changeOf({ terms, total }, outcome), message },
    );
    await forget(db, job);
    return resultOf(outcome, terms, key);
  });
};

const failed = async (db: Db, job: Job, why: Text, now: number) => {
  const { terms, total, ip, user_agent } = payloadOf(job);
  if (job.rights)
    await writeLog(
      db,
      job.rights,
      { ip, userAgent: user_agent, now: () => now },
      { module: 'user', action: 'create', content: wayName[terms.way], ...changeOf({ terms, total }), message: why },
    );
  await forget(db, job);
};

const kind: JobKind = { run, failed };

export const openingJobs: JobKinds = { open_batch: kind, open_import: kind, open_temp: kind };
