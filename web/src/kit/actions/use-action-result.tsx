import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Action, Me, Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../chrome/lang.ts';
import { notify } from '../chrome/notify.tsx';
import { pageAt, routeOf } from '../chrome/route.ts';
import { rowLabel } from '../list/row-label.ts';
import { useMe } from '../net/session.ts';
import { batchOf, billsOf, completedIds } from './batch.ts';

const BatchDialog = lazy(() => import('./batch-dialog.tsx'));
const ReceiptDialog = lazy(() => import('./receipt-dialog.tsx'));

const done: Text = ['{0}成功', '{0}: done'];
const doneAll: Text = ['{0}成功，共 {1} 条', '{0}: {1} done'];
const progress: Text = ['查看进度', 'View progress'];

/** Receives the rows that a call has completed. */
export type OnCompleted = (ids: readonly number[], e: Endpoint) => void;

/** Route of the progress page, if the operator can open it. */
const progressPathOf = ({ progressRoute }: Action, reply: unknown, me: Me): string | undefined => {
  if (progressRoute === undefined || !isRecord(reply)) return undefined;
  const target = pageAt(progressRoute);
  return target && mayOpen(target, me) ? routeOf(progressRoute, reply) : undefined;
};

/** Refreshes the page after a call, and shows its result: a notification, receipts, or the failed rows. */
export const useActionResult = (page: Page, show: (dialog: ReactNode) => void, onCompleted: OnCompleted | undefined) => {
  const navigate = useNavigate();
  const me = useMe();
  const client = useQueryClient();
  const close = () => show(null);
  return (action: Action, e: Endpoint, rows: readonly AnyRow[], reply: unknown) => {
    const result = batchOf(reply);
    void client.invalidateQueries();
    onCompleted?.(completedIds(e, rows, reply), e);
    const named = (id: number) => rowLabel(page.resource, rows.find((row) => row.id === id) ?? { id });
    const bills = billsOf(reply, named);
    if (bills.length > 0) show(<ReceiptDialog bills={bills} result={result} nameOf={named} onClose={close} />);
    const href = progressPathOf(action, reply, me);
    const link = href === undefined ? undefined : { label: t(progress), href, onOpen: () => void navigate(href) };
    if (!result || result.fail === 0) {
      if (action.done) return notify.success(t(action.done), link);
      const many = result && rows.length > 1;
      return notify.success(many ? t(doneAll, action.label, result.success) : t(done, action.label), link);
    }
    if (bills.length === 0) show(<BatchDialog action={action.label} result={result} nameOf={named} progressHref={href} onClose={close} />);
  };
};
