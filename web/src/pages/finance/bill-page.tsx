import type { BillChart } from '@farlink/contract/finance/bill.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { lazy, Suspense, useState } from 'react';
import type { BillLine } from '../../kit/actions/receipt-view.tsx';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import type { ListPage } from '../../kit/list/use-list.ts';
import { useAddressState } from '../../kit/list/use-list-state.ts';
import { IncomePanel } from './income-panel.tsx';

const ReceiptDialog = lazy(() => import('../../kit/actions/receipt-dialog.tsx'));

interface BillPageProps {
  readonly page: ListPage;
  readonly chart: (filters: Values) => Promise<BillChart>;
  readonly run?: Run;
}

/** A bill list with charts; the charts use the filters of the list. */
export const BillPage = ({ page, chart, run }: BillPageProps) => {
  const { state } = useAddressState(page.resource);
  const [bill, setBill] = useState<BillLine>();
  const receipt = ({ bill_no, user_name, net_income }: AnyRow) =>
    setBill({ bill_no: String(bill_no), name: String(user_name ?? ''), received: String(net_income) });
  return (
    <div className="above-list bill-page">
      <IncomePanel name={page.key} chart={chart} filters={state.filters} />
      <ResourcePage page={page} run={{ ...run, receipt }} link="receipt" />
      <Suspense>{bill && <ReceiptDialog bills={[bill]} onClose={() => setBill(undefined)} />}</Suspense>
    </div>
  );
};
