import type { EvidenceStatus } from '@farlink/contract/audit/audit-evidence.ts';
import { durationText } from '@farlink/contract/kit/units.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { t } from '../../kit/chrome/lang.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { Callout } from '../../ui/native/callout.tsx';
import { Fact, FactStrip } from '../../ui/native/fact-strip.tsx';
import { texts } from './texts.ts';

const timeOf = (at: number | null) => (at === null ? t(texts.none) : zonedTime(at));

const outsideText = ({ bucket, anchored_at, mails }: EvidenceStatus) => {
  const copies = { off: t(texts.bucketOff), on: t(texts.bucketOn, timeOf(anchored_at)), failed: t(texts.bucketFailed) };
  return [copies[bucket], ...(mails > 0 ? [t(texts.mails, mails)] : [])].join(' · ');
};

interface HeadProps {
  readonly status: EvidenceStatus;
  readonly mayFork: boolean;
  readonly onFork: () => void;
}

/** State of the log, and an alarm while sealing is stopped. */
export const EvidenceHead = ({ status, mayFork, onFork }: HeadProps) => (
  <>
    {status.stopped && (
      <Callout tone="error">
        {t(texts.stopped, timeOf(status.stopped_at), status.stopped)}{' '}
        {mayFork && <ActButton danger label={t(texts.fork)} onClick={onFork} />}
      </Callout>
    )}
    {status.witnesses.conflicts > 0 && <Callout tone="error">{t(texts.conflicts, status.witnesses.conflicts)}</Callout>}
    {status.forks.map(({ index, reason, create_at }) => (
      <Callout key={index} tone="warning">
        {t(texts.forks, index, timeOf(create_at), reason)}
      </Callout>
    ))}
    <FactStrip count={6}>
      <Fact label={t(texts.size)}>{status.size}</Fact>
      <Fact label={t(texts.sealed)}>{timeOf(status.last_seal_at)}</Fact>
      <Fact label={t(texts.lag)} more={status.unsealed > 0 ? t(texts.lagFor, durationText(status.lag_s)) : undefined}>
        {status.unsealed}
      </Fact>
      <Fact label={t(texts.outside)} more={outsideText(status)}>
        {t(texts.file)}
      </Fact>
      <Fact label={t(texts.witnesses)} more={status.witnesses.count > 0 ? t(texts.witnessed, status.witnesses.size) : undefined}>
        {status.witnesses.count}
      </Fact>
      <Fact label={t(texts.verified)}>{timeOf(status.verified_to)}</Fact>
    </FactStrip>
  </>
);
