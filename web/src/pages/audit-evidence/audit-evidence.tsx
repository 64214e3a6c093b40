import { auditEvidence, auditEvidenceCalls } from '@farlink/contract/audit/audit-evidence.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';
import { call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';
import './audit-evidence.css';
import { CheckpointCard } from './checkpoint-card.tsx';
import { EvidenceHead } from './evidence-head.tsx';

const FindingsDialog = lazy(() => import('./findings-dialog.tsx'));
const ForkDialog = lazy(() => import('./fork-dialog.tsx'));

const everyMs = 30_000;
const isUnderWay = (row: AnyRow) => row.state === 'waiting' || row.state === 'running';

/** State of the log of seals, its checkpoint, and verifications. */
const AuditEvidence = () => {
  const me = useMe();
  const [shown, setShown] = useState<AnyRow>();
  const [isForking, setForking] = useState(false);
  const { data, isError, refetch } = useQuery({
    queryKey: ['audit-evidence'],
    queryFn: () => call(auditEvidenceCalls.status, {}, { silent: true }),
    refetchInterval: everyMs,
    retry: false,
  });
  usePollWhileRunning(auditEvidence.key, isUnderWay);
  const run: Run = { findings: (row) => setShown(row) };
  return (
    <>
      {isError && <ReadFailed retry={() => void refetch()} />}
      {data && <EvidenceHead status={data} mayFork={mayCall(auditEvidenceCalls.fork, me)} onFork={() => setForking(true)} />}
      {data && <CheckpointCard status={data} />}
      <ResourcePage page={auditEvidence} run={run} />
      <Suspense>
        {shown && <FindingsDialog row={shown} onClose={() => setShown(undefined)} />}
        {isForking && <ForkDialog onClose={() => setForking(false)} />}
      </Suspense>
    </>
  );
};
export default AuditEvidence;
