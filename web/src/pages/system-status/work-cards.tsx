import { jobName } from '@farlink/contract/advanced/job-names.ts';
import type { StatusLag, StatusQueue, StatusQueues, StatusSection } from '@farlink/contract/advanced/system-status.ts';
import { durationText } from '@farlink/contract/kit/units.ts';
import { limits } from '@farlink/contract/limits.ts';
import { t } from '../../kit/chrome/lang.ts';
import { tips } from '../../ui/browser/tip.ts';
import { numberText, timeText } from '../../ui/format.ts';
import { Figure, StatusCard } from './status-card.tsx';
import { texts } from './texts.ts';

const lagText = (seconds: number) => (seconds === 0 ? t(texts.noLag) : t(durationText(seconds)));

export const LagCard = ({ part }: { readonly part: StatusSection<StatusLag> }) => (
  <StatusCard name="lag" part={part} links={['businessFlow']}>
    {(lag) => (
      <dl className="status-figures">
        <Figure label={t(texts.ingest)} more={t(texts.ingestMore, lag.ingest_waiting)}>
          {lagText(lag.ingest_s)}
        </Figure>
        <Figure label={t(texts.rollup)} more={lag.rollup_hour === null ? undefined : t(texts.rollupMore, timeText(lag.rollup_hour))}>
          {lagText(lag.rollup_s)}
        </Figure>
        <Figure label={t(texts.seal)}>{lagText(lag.seal_s)}</Figure>
        <Figure label={t(texts.jobs)} more={lag.job_kind === null ? undefined : t(jobName(lag.job_kind))}>
          {lagText(lag.job_s)}
        </Figure>
      </dl>
    )}
  </StatusCard>
);

/** Counting stops at the cap. */
const countText = (n: number) => (n >= limits.countCap ? `${numberText(limits.countCap)}+` : numberText(n));

const queueDetail = ({ waiting, oldest_s }: StatusQueue, failed = 0) =>
  [...(waiting > 0 ? [t(texts.oldest, durationText(oldest_s))] : []), ...(failed > 0 ? [t(texts.failedDay, countText(failed))] : [])].join(
    ' · ',
  ) || undefined;

const JobKinds = ({ jobs }: Pick<StatusQueues, 'jobs'>) =>
  jobs.length === 0 ? (
    <p className="muted status-none">{t(texts.noJobs)}</p>
  ) : (
    <>
      <h3>{t(texts.jobKinds)}</h3>
      <ul {...tips}>
        {jobs.map(({ kind, waiting, running, failed }) => (
          <li key={kind} className="flow status-line">
            <span data-tip={kind}>{t(jobName(kind))}</span>
            <span>{t(texts.jobCounts, countText(waiting), countText(running), countText(failed))}</span>
          </li>
        ))}
      </ul>
    </>
  );

export const QueueCard = ({ part }: { readonly part: StatusSection<StatusQueues> }) => (
  <StatusCard name="queues" part={part} links={['mailServer']}>
    {({ jobs, mails, sms, exports, commands, sections, usage, not_enforced }) => (
      <>
        <dl className="status-figures">
          <Figure label={t(texts.mails)} more={mails.has_server ? queueDetail(mails, mails.failed) : t(texts.noServer)}>
            {countText(mails.waiting)}
          </Figure>
          <Figure label={t(texts.sms)} more={queueDetail(sms, sms.failed)}>
            {countText(sms.waiting)}
          </Figure>
          <Figure label={t(texts.exports)} more={queueDetail(exports)}>
            {countText(exports.waiting)}
          </Figure>
          <Figure label={t(texts.commands)} more={t(texts.waitsForGateways)}>
            {countText(commands)}
          </Figure>
          <Figure label={t(texts.sections)} more={t(texts.waitsForGateways)}>
            {countText(sections)}
          </Figure>
          <Figure label={t(texts.usage)}>{countText(usage)}</Figure>
          <Figure label={t(texts.notEnforced)}>{countText(not_enforced)}</Figure>
        </dl>
        <JobKinds jobs={jobs} />
      </>
    )}
  </StatusCard>
);
