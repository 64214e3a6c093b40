import { billCalls, billOnline } from '@farlink/contract/finance/bill.ts';
import { call } from '../../kit/net/call.ts';
import { BillPage } from './bill-page.tsx';
import { usePayOrder } from './use-pay-order.tsx';

const BillOnline = () => {
  const { run, dialog } = usePayOrder();
  return (
    <>
      <BillPage page={billOnline} run={run} chart={(filters) => call(billCalls.chartOnline, filters, { silent: true, overlay: false })} />
      {dialog}
    </>
  );
};
export default BillOnline;
