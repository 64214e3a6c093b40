import { systemStatusCalls } from '@farlink/contract/advanced/system-status.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { Unread } from '../../kit/chrome/read-failed.tsx';
import { call } from '../../kit/net/call.ts';
import { DatabaseCard } from './database-card.tsx';
import { NodeCard } from './node-card.tsx';
import { BackupCard, BrokerCard, CertificateCard, EvidenceCard } from './other-cards.tsx';
import { StatusHead } from './status-head.tsx';
import './system-status.css';
import { texts } from './texts.ts';
import { LagCard, QueueCard } from './work-cards.tsx';

const refreshSeconds = 10;

/** State of the installation: problems first, then the figures of each part. */
const SystemStatus = () => {
  const { data, isError, refetch } = useQuery({
    queryKey: ['system-status'],
    queryFn: () => call(systemStatusCalls.read, {}, { silent: true, overlay: false }),
    refetchInterval: refreshSeconds * 1000,
    retry: false,
  });
  if (!data) return isError ? <Unread retry={refetch} /> : <p role="status">{t(texts.loading)}</p>;
  return (
    <div className="columns">
      <StatusHead status={data} refreshSeconds={refreshSeconds} isStale={isError} />
      <NodeCard part={data.nodes} />
      <LagCard part={data.lag} />
      <BrokerCard part={data.broker} />
      <QueueCard part={data.queues} />
      <CertificateCard part={data.certificates} now={data.at} />
      <BackupCard part={data.backup} />
      <EvidenceCard part={data.evidence} />
      <DatabaseCard part={data.database} />
    </div>
  );
};
export default SystemStatus;
