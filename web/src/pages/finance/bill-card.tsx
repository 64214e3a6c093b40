import { billCalls, billCard } from '@farlink/contract/finance/bill.ts';
import { call } from '../../kit/net/call.ts';
import { BillPage } from './bill-page.tsx';

const BillCard = () => (
  <BillPage page={billCard} chart={(filters) => call(billCalls.chartCard, filters, { silent: true, overlay: false })} />
);
export default BillCard;
