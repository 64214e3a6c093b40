import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { mayReveal } from '@farlink/contract/audit/audit-fields.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';
import type { AuditListPage } from './audit-list-page.ts';
import { ReasonForm } from './reason-form.tsx';

const RevealDialog = lazy(() => import('./reveal-dialog.tsx'));
const EraseDialog = lazy(() => import('./erase-dialog.tsx'));

/** Without the right to reveal, an export offers masked values only. */
const offeredTo = (me: Me, page: AuditListPage): AuditListPage => {
  const { export: exports } = page.actions;
  const input = exports?.call?.input;
  if (mayReveal(me) || !exports?.call || !input?.format) return page;
  return { ...page, actions: { ...page.actions, export: { ...exports, call: { ...exports.call, input: { format: input.format } } } } };
};

/** A page of audit data. The operator enters the reason once per session; values of a row are revealed in a dialog. */
export const AuditPage = ({ page, run: own }: { readonly page: AuditListPage; readonly run?: Run }) => {
  const me = useMe();
  const [revealed, setRevealed] = useState<AnyRow>();
  const [erasing, setErasing] = useState<AnyRow>();
  const { data, isError, refetch } = useQuery({
    queryKey: ['audit-reason', page.key],
    queryFn: () => call(auditAccessLogCalls.readReason, { page: page.key }, { silent: true }),
    retry: false,
  });
  const run: Run = { reveal: (row) => setRevealed(row), erase: (row) => setErasing(row), ...own };
  if (isError) return <ReadFailed retry={() => void refetch()} />;
  if (!data) return null;
  if (data.reason === null) return <ReasonForm page={page} onDone={() => void refetch()} />;
  return (
    <>
      <ResourcePage page={offeredTo(me, page)} run={run} />
      <Suspense>
        {revealed && <RevealDialog page={page} row={revealed} onClose={() => setRevealed(undefined)} />}
        {erasing && <EraseDialog row={erasing} onClose={() => setErasing(undefined)} />}
      </Suspense>
    </>
  );
};
