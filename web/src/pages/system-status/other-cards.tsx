import type {
  StatusBackup,
  StatusBroker,
  StatusCertificate,
  StatusEvidence,
  StatusSection,
} from '@farlink/contract/advanced/system-status.ts';
import { bytesText, spanText } from '@farlink/contract/kit/units.ts';
import { lang, t } from '../../kit/chrome/lang.ts';
import { numberText, relativeText, timeText } from '../../ui/format.ts';
import { Point, Tag } from '../../ui/native/tag.tsx';
import { Figure, StatusCard } from './status-card.tsx';
import { certificateUses, texts } from './texts.ts';

export const BackupCard = ({ part }: { readonly part: StatusSection<StatusBackup> }) => (
  <StatusCard name="backup" part={part} isAbsent={({ last_at }) => last_at === null}>
    {({ kind, last_at, bytes, file_name, failed_at, error }) => (
      <dl className="status-figures">
        <Figure label={t(texts.lastBackup)} more={last_at === null ? undefined : relativeText(last_at, lang)}>
          {last_at === null ? t(kind === 'external' ? texts.external : texts.noBackup) : timeText(last_at)}
        </Figure>
        {file_name && (
          <Figure label={t(texts.backupFile)} more={bytes === null ? undefined : bytesText(bytes)}>
            {file_name}
          </Figure>
        )}
        {failed_at !== null && (
          <Figure label={t(texts.backupFailed)} more={error ?? undefined}>
            {timeText(failed_at)}
          </Figure>
        )}
      </dl>
    )}
  </StatusCard>
);

interface CertificatesProps {
  readonly part: StatusSection<readonly StatusCertificate[]>;
  readonly now: number;
}

export const CertificateCard = ({ part, now }: CertificatesProps) => (
  <StatusCard name="certificates" part={part} links={['domainSetup']} isAbsent={(certificates) => certificates.length === 0}>
    {(certificates) =>
      certificates.length === 0 ? (
        <p className="muted status-none">{t(texts.noCertificates)}</p>
      ) : (
        <ul>
          {certificates.map(({ use, host, expire_at }) => (
            <li key={`${use} ${host}`} className="flow status-line">
              <span>
                {host} <Tag>{t(certificateUses[use])}</Tag>
              </span>
              <span>
                {expire_at > now ? t(texts.expires, timeText(expire_at), spanText(expire_at - now)) : t(texts.expired, timeText(expire_at))}
              </span>
            </li>
          ))}
        </ul>
      )
    }
  </StatusCard>
);

export const BrokerCard = ({ part }: { readonly part: StatusSection<StatusBroker> }) => (
  <StatusCard name="broker" part={part} links={['deviceList']}>
    {({ gateways, listeners }) => (
      <>
        <dl className="status-figures">
          <Figure label={t(texts.gateways)}>{numberText(gateways)}</Figure>
        </dl>
        {listeners.length === 0 && <p className="muted status-none">{t(texts.noListener)}</p>}
        <ul>
          {listeners.map((one) => (
            <li key={`${one.node} ${one.transport}`} className="flow status-line">
              <span>
                {one.node} <Tag>{t(one.transport === 'broker' ? texts.external_broker : texts.endpoint)}</Tag>{' '}
                <Point color={one.is_connected ? 'green' : 'default'}>{t(one.is_connected ? texts.connected : texts.standby)}</Point>
              </span>
              <span>{t(texts.rates, numberText(one.gateways), one.accepted_per_s, one.refused_per_s)}</span>
            </li>
          ))}
        </ul>
      </>
    )}
  </StatusCard>
);

export const EvidenceCard = ({ part }: { readonly part: StatusSection<StatusEvidence> }) => (
  <StatusCard name="evidence" part={part} links={['auditEvidence']}>
    {({ size, signed_at, verified_to, verification }) => (
      <dl className="status-figures">
        <Figure label={t(texts.checkpoint)} more={size > 0 ? t(texts.entries, numberText(size)) : undefined}>
          {signed_at === null ? t(texts.none) : timeText(signed_at)}
        </Figure>
        <Figure label={t(texts.verified)}>{verified_to === null ? t(texts.none) : timeText(verified_to)}</Figure>
        <Figure label={t(texts.verification)}>
          {verification === null ? t(texts.none) : t(texts.verificationOf, timeText(verification.create_at), verification.finding_count)}
        </Figure>
      </dl>
    )}
  </StatusCard>
);
