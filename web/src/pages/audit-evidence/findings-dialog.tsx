import { auditEvidenceCalls } from '@farlink/contract/audit/audit-evidence.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { call } from '../../kit/net/call.ts';
import { texts } from './texts.ts';

/** What a verification found, one sentence each. */
const FindingsDialog = ({ row, onClose }: { readonly row: AnyRow; readonly onClose: () => void }) => {
  const { data, isError, refetch } = useQuery({
    queryKey: ['audit-findings', row.id],
    queryFn: () => call(auditEvidenceCalls.findings, { verification_id: Number(row.id) }, { silent: true }),
    retry: false,
  });
  const total = Number(row.finding_count);
  return (
    <Dialog open title={t(texts.findings, row.id)} onClose={onClose} width={720}>
      {isError && <ReadFailed retry={() => void refetch()} />}
      {data && (
        <>
          <ul className="evidence-findings">
            {data.map(({ text }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: findings of a run never change
              <li key={i}>{t(text)}</li>
            ))}
          </ul>
          {data.length < total && <p className="muted">{t(texts.showing, data.length, total)}</p>}
        </>
      )}
    </Dialog>
  );
};
export default FindingsDialog;
