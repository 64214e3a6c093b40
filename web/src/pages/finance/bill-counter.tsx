import { billCalls, billCounter } from '@farlink/contract/finance/bill.ts';
import { call } from '../../kit/net/call.ts';
import { BillPage } from './bill-page.tsx';

const BillCounter = () => (
  <BillPage page={billCounter} chart={(filters) => call(billCalls.chartCounter, filters, { silent: true, overlay: false })} />
);
export default BillCounter;
