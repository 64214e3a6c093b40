import type { BillChart } from '@farlink/contract/finance/bill.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-desk.tsx';
import type { ListPage } from '../../kit/use-list.ts';
import { useAddressState } from '../../kit/use-list-state.ts';
import { IncomePanel } from './income-panel.tsx';

interface BillPageProps {
  readonly page: ListPage;
  readonly chart: (filters: Values) => Promise<BillChart>;
  readonly run?: Run;
}

/** Bills with what they come to: the chart follows the filters of the list. */
export const BillPage = ({ page, chart, run }: BillPageProps) => {
  const { state } = useAddressState(page.resource);
  return (
    <div className="bill-page">
      <IncomePanel name={page.key} chart={chart} filters={state.filters} />
      <ResourcePage page={page} run={run} />
    </div>
  );
};
