import { beginLimited } from '../../db/lock.ts';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { post } from '../../kit/messages/outbox.ts';
import { raiseAlarm } from './alarm.ts';
import { contradiction } from './check-outside.ts';
import { type Log, lockLog, type StopReason } from './log.ts';
import { bucketCopy, fileCopy } from './outside.ts';
import { sealAll } from './seal.ts';
import { stopTexts } from './stop-texts.ts';
import { inTransaction, type Query } from './transaction.ts';

const hour = 3600;
const day = 86_400;

type SealDeps = Pick<Deps, 'db' | 'pool' | 'config' | 'clock' | 'log'>;

const stop = async (query: Query, log: Log, reason: StopReason, outside: string, now: number): Promise<Log> => {
  await query('update audit_log set stopped = $1, stopped_at = $2, outside = $3', [reason, now, outside]);
  return { ...log, stopped: reason, stopped_at: now, outside };
};

/** Compares the log with a copy of its checkpoint. A contradiction stops sealing in the same transaction. */
const compareWith = async ({ db, pool, config, clock, log: logger }: SealDeps, outside: string | undefined): Promise<Log> => {
  const now = clock.now();
  const [before, after] = await inTransaction(pool, beginLimited, async (query) => {
    const log = await lockLog(query, config.secretKey, now);
    if (log.stopped !== null || outside === undefined) return [log, log];
    const reason = await contradiction(query, log, outside);
    return [log, reason === undefined ? log : await stop(query, log, reason, outside, now)];
  });
  if (before.stopped === null && after.stopped !== null) {
    logger.error({ reason: after.stopped, size: after.size }, 'audit sealing stopped');
    await raiseAlarm(db, ['审计封存已停止', 'Audit sealing stopped'], stopTexts[after.stopped], now);
  }
  return after;
};

/** Copies the checkpoint to the bucket each hour, after a comparison with the copy that is there. */
const anchor = async (deps: SealDeps, log: Log) => {
  const { pool, config, clock, log: logger } = deps;
  const bucket = bucketCopy(config);
  const now = clock.now();
  if (!bucket || log.stopped !== null || now < log.anchored_at + hour) return;
  try {
    const { stopped } = await compareWith(deps, await bucket.read());
    if (stopped !== null) return;
    await bucket.write(log.checkpoint);
    await pool.query('update audit_log set anchored_at = $1, anchor_fault = null', [now]);
  } catch (err) {
    logger.warn({ err }, 'audit checkpoint not copied to the bucket');
    await pool.query('update audit_log set anchor_fault = $1', [err instanceof Error ? err.message : String(err)]);
  }
};

const mailOf = ({ checkpoint, size }: Log) => {
  const intro = [
    '请保留此邮件：它证明审计日志在此之前的内容。用 npm run verify -- export.zip --known checkpoint.txt 核对。',
    'Keep this mail: it proves the content of the audit log until now. Check it with npm run verify -- export.zip --known checkpoint.txt.',
  ];
  return {
    subject: `审计检查点 / Audit checkpoint ${size}`,
    text: [...intro, '', checkpoint].join('\n'),
    html: `${intro.map((line) => `<p>${line}</p>`).join('')}<pre>${checkpoint.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`,
  };
};

const mailDaily = async ({ db, config, clock }: SealDeps, log: Log) => {
  const now = clock.now();
  const { anchorMail } = config.audit;
  if (anchorMail.length === 0 || log.stopped !== null || now < log.mailed_at + day) return;
  await db.transaction().execute(async (tx) => {
    const platform = await tx.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirst();
    if (!platform) return;
    const body = JSON.stringify(mailOf(log));
    for (const recipient of anchorMail) await post(tx, { config, clock }, { channel: 'mail', recipient, body, agentId: platform.id });
    await tx.updateTable('audit_log').set({ mailed_at: now }).execute();
  });
};

/** One round: compare with the outside copies, seal, copy the new checkpoint outside. */
export const sealRound = async (deps: SealDeps, signal?: AbortSignal): Promise<Log> => {
  const file = fileCopy(deps.config);
  const outside = await file.read();
  const compared = await compareWith(deps, outside);
  const isDue = deps.clock.now() >= compared.anchored_at + hour;
  // A restored database has an old time of its last copy, so the bucket is compared before anything is sealed.
  if (isDue && compared.stopped === null) await anchor(deps, compared);
  const log = await sealAll(deps, signal);
  if (log.stopped === null && log.checkpoint !== outside) await file.write(log.checkpoint);
  await mailDaily(deps, log);
  return log;
};

const seal = async ({ deps, signal }: JobRun) => {
  await sealRound(deps, signal);
};

/** Retention of completed jobs. */
const retentionS = 3600;

export const sealJobs: JobKinds = { seal_audit: { run: seal, everyS: 60, retentionS } };
