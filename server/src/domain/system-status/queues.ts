import { jobName } from '@farlink/contract/advanced/job-names.ts';
import type { StatusFinding, StatusJobKind, StatusQueues } from '@farlink/contract/advanced/system-status.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Deps } from '../../kit/deps.ts';
import { cachedFor } from './cached.ts';
import { durationText, finding, statusPart } from './finding.ts';
import { levelOf, thresholds } from './thresholds.ts';

type QueueDeps = Pick<Deps, 'db' | 'clock' | 'pool'>;

const day = 86_400;
const cap = sql.lit(limits.countCap);

/** Open jobs by kind, and those that failed during the last day. */
export const readJobKinds = cachedFor(5, async ({ db, clock }: QueueDeps): Promise<StatusJobKind[]> => {
  const { rows } = await sql<StatusJobKind>`
    select kind, (count(*) filter (where state = 'waiting'))::int as waiting, (count(*) filter (where state = 'running'))::int as running,
      (count(*) filter (where state = 'failed'))::int as failed
    from (
      (select kind, state from job where state in ('waiting', 'running') limit ${cap})
      union all (select kind, state from job where state = 'failed' and finish_at > ${clock.now() - day} limit ${cap})
    ) j group by kind order by kind`.execute(db);
  return rows;
});

interface Counts {
  readonly mails: number;
  readonly mails_at: number | null;
  readonly mails_failed: number;
  readonly sms: number;
  readonly sms_at: number | null;
  readonly sms_failed: number;
  readonly exports: number;
  readonly exports_at: number | null;
  readonly commands: number;
  readonly sections: number;
  readonly usage: number;
  readonly not_enforced: number;
  readonly has_server: boolean;
}

/** Each count reads the index of its queue and stops at the cap. */
const countsOf = async ({ db, clock }: QueueDeps): Promise<Counts | undefined> => {
  const failed = (channel: string) =>
    sql`(select count(*)::int from (select from outbox where state = 'failed' and finish_at > ${clock.now() - day} and channel = ${channel} limit ${cap}) q)`;
  const { rows } = await sql<Counts>`
    select mail.n as mails, mail.at as mails_at, ${failed('mail')} as mails_failed, sms.n as sms, sms.at as sms_at, ${failed('sms')} as sms_failed,
      export.n as exports, export.at as exports_at,
      (select count(*)::int from (select from device_command where state = 0 limit ${cap}) q) as commands,
      (select count(*)::int from (select from desired_section where not settled limit ${cap}) q) as sections,
      (select count(*)::int from (select from usage limit ${cap}) q) as usage,
      (select count(*)::int from (select from online_session where not_enforced_at is not null and logout_at is null limit ${cap}) q) as not_enforced,
      exists (select from mail_server m join agent a on a.id = m.agent_id where m.enable and a.agent_level = 0) as has_server
    from (select count(*)::int as n, min(create_at) as at from
        (select create_at from outbox where channel = 'mail' and state = 'waiting' order by next_at, id limit ${cap}) q) mail,
      (select count(*)::int as n, min(create_at) as at from
        (select create_at from outbox where channel = 'sms' and state = 'waiting' order by next_at, id limit ${cap}) q) sms,
      (select count(*)::int as n, min(create_at) as at from
        (select create_at from export_task where finish_at is null order by create_at limit ${cap}) q) export`.execute(db);
  return rows[0];
};

const queueOf = (waiting: number | undefined, at: number | null | undefined, now: number) => ({
  waiting: waiting ?? 0,
  oldest_s: at ? Math.max(0, now - at) : 0,
});

const readFigures = async (deps: QueueDeps): Promise<StatusQueues> => {
  const now = deps.clock.now();
  const jobs = await readJobKinds(deps);
  const counts = await countsOf(deps);
  return {
    jobs,
    mails: {
      ...queueOf(counts?.mails, counts?.mails_at, now),
      failed: counts?.mails_failed ?? 0,
      has_server: counts?.has_server ?? false,
    },
    sms: { ...queueOf(counts?.sms, counts?.sms_at, now), failed: counts?.sms_failed ?? 0 },
    exports: queueOf(counts?.exports, counts?.exports_at, now),
    commands: counts?.commands ?? 0,
    sections: counts?.sections ?? 0,
    usage: counts?.usage ?? 0,
    not_enforced: counts?.not_enforced ?? 0,
  };
};

const jobFindings = (jobs: readonly StatusJobKind[]): StatusFinding[] =>
  jobs.flatMap(({ kind, failed }) =>
    finding(
      `job_failed:${kind}`,
      levelOf(failed, thresholds.jobsFailed),
      fill(['后台任务“{0}”在 24 小时内失败 {1} 次', 'The job “{0}” failed {1} times in 24 hours'], jobName(kind), failed),
      fill(['在日志中查找 job failed（{0}）及其原因', 'Search the log for job failed ({0}) and its cause'], kind),
    ),
  );

const findingsOf = ({ jobs, mails, sms, exports, not_enforced }: StatusQueues): StatusFinding[] => [
  ...jobFindings(jobs),
  ...finding(
    'mail_queue',
    levelOf(mails.oldest_s, thresholds.mailS),
    fill(['{0} 封邮件未发送，最早的已等待 {1}', '{0} mails are not sent, the oldest for {1}'], mails.waiting, durationText(mails.oldest_s)),
    mails.has_server
      ? ['在“邮件服务器”页查看故障原因', 'The page Mail server shows the cause']
      : ['在“邮件服务器”页设置总平台的邮件服务器', 'Set the mail server of the platform on the page Mail server'],
  ),
  ...finding(
    'sms_queue',
    levelOf(sms.oldest_s, thresholds.smsS),
    fill(['{0} 条短信未发送，最早的已等待 {1}', '{0} SMS are not sent, the oldest for {1}'], sms.waiting, durationText(sms.oldest_s)),
    ['检查 SMS_URL 的短信服务', 'Check the SMS service of SMS_URL'],
  ),
  ...finding(
    'export_queue',
    levelOf(exports.oldest_s, thresholds.exportS),
    fill(
      ['{0} 个导出未完成，最早的已 {1}', '{0} exports are not complete, the oldest for {1}'],
      exports.waiting,
      durationText(exports.oldest_s),
    ),
    ['启动更多 worker 进程', 'Start more worker processes'],
  ),
  ...finding(
    'not_enforced',
    levelOf(not_enforced, thresholds.notEnforced),
    fill(['NAS未执行 {0} 个会话的速率或流量上限', 'NAS do not apply the limits of {0} sessions'], not_enforced),
    ['在“AAA在线用户”页按“未执行”筛选查看原因', 'Filter AAA online users by “Not in effect” to see the reasons'],
  ),
];

export const readQueues = async (deps: Deps) => {
  const figures = await readFigures(deps);
  return statusPart(figures, findingsOf(figures));
};
