import { say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Db } from '../../../kit/deps.ts';
import type { ImportRow } from '../../../kit/formats/import-sheet.ts';
import type { Job, JobKinds, JobRun } from '../../../kit/jobs/job.ts';
import { jobOwnerOf } from '../../../kit/jobs/job-owner.ts';
import { writeLog } from '../../../kit/log/record.ts';
import { passwordRuleOf } from '../../../kit/session/password-rule.ts';
import { type Fault, insertEntries, validateRows } from './import-rows.ts';
import { ownHosts } from './read-entry.ts';

export const importKind = 'danger_import';

export interface ImportPayload {
  readonly total: number;
  readonly ip: string;
  readonly user_agent: string;
  /** Line and cells of each row; removed when the job ends. */
  readonly rows: readonly (readonly [line: number, cells: readonly string[]])[];
}

export interface ImportResult {
  readonly total: number;
  readonly success: number;
  readonly fail: number;
  /** All rows that were not imported, in the order of the file. */
  readonly faults: readonly (readonly [line: number, cells: readonly string[], message: Text])[];
}

const isPayload = (json: unknown): json is ImportPayload => typeof json === 'object' && json !== null && 'rows' in json;

const payloadOf = ({ id, payload }: Job): ImportPayload => {
  if (!isPayload(payload)) throw new Error(`job ${id} is no import of dangerous websites`);
  return payload;
};

const name: Text = ['导入危险网站', 'Import of dangerous websites'];

const forgetRows = (db: Db, { id }: Job, total: number) =>
  db
    .updateTable('job')
    .set({ payload: JSON.stringify({ total }) })
    .where('id', '=', id)
    .execute();

const resultOf = (total: number, success: number, faults: readonly Fault[]): ImportResult & Readonly<Record<string, unknown>> => ({
  total,
  success,
  fail: total - success,
  faults: faults.toSorted((a, b) => a.line - b.line).map(({ line, cells, message }) => [line, cells, message] as const),
});

/** Validating is the first half of the progress. */
const run = async (work: JobRun) => {
  const { deps, job, signal } = work;
  const me = await jobOwnerOf(work);
  const { total, ip, user_agent, rows: packed } = payloadOf(job);
  const rows: ImportRow[] = packed.map(([line, cells]) => ({ line, cells }));
  const { entries, faults } = await validateRows(rows, {
    env: { passwordRule: await passwordRuleOf(deps.db), now: deps.clock.now() },
    hosts: await ownHosts(deps.db, deps.config),
    onValidated: async (count) => {
      signal.throwIfAborted();
      await work.progress((50 * count) / total);
    },
  });
  await work.commit(async (db) => {
    const now = deps.clock.now();
    const inserted = await insertEntries(db, entries, { creator: me.name, now });
    const result = resultOf(total, inserted.added, [...faults, ...inserted.faults]);
    const content: Text = [
      `${name[0]}：成功 ${result.success}，失败 ${result.fail}`,
      `${name[1]}: ${result.success} added, ${result.fail} failed`,
    ];
    const message = result.success === 0 ? result.faults[0]?.[2] : undefined;
    const after = { total, success: result.success, fail: result.fail, domains: entries.slice(0, limits.namedFaults).map((e) => e.domain) };
    await writeLog(
      db,
      me,
      { ip, userAgent: user_agent, now: deps.clock.now },
      { module: 'advanced', action: 'create', content, after, message },
    );
    await forgetRows(db, job, total);
    return result;
  });
};

const failed = async (db: Db, job: Job, why: Text, now: number) => {
  const { total, ip, user_agent } = payloadOf(job);
  const where = { ip, userAgent: user_agent, now: () => now };
  if (job.rights)
    await writeLog(db, job.rights, where, { module: 'advanced', action: 'create', content: name, after: { total }, message: why });
  await forgetRows(db, job, total);
};

export const dangerImportJobs: JobKinds = { [importKind]: { run, failed } };
export const sayFault = ([line, cells, message]: ImportResult['faults'][number], lang: 'zh' | 'en') => ({
  line,
  value: cells[0] ?? '',
  message: say(message, lang),
});
