import { billCalls } from '@farlink/contract/finance/bill.ts';
import { collectionCalls } from '@farlink/contract/finance/collection.ts';
import { handoverCalls } from '@farlink/contract/finance/handover.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { settlementCalls } from '@farlink/contract/finance/settlement.ts';
import { billExportLogCalls } from '@farlink/contract/log/bill-export-log.ts';
import { userPackageCalls } from '@farlink/contract/package/user-package.ts';
import { moneyCalls, quoteCalls } from '@farlink/contract/user/money.ts';
import { userBillCalls } from '@farlink/contract/user/user-bill.ts';
import { bind, bindAll } from '../../kit/http/serve.ts';
import { addPackage } from './add-package.ts';
import {
  checkBooks,
  exportCardBills,
  exportCounterBills,
  exportOnlineBills,
  exportOpeningBills,
  listCardBills,
  listCounterBills,
  listOnlineBills,
  listOpeningBills,
} from './bill.ts';
import { chartCard, chartCounter, chartOnline } from './bill-chart.ts';
import { listBillExports } from './bill-export-log.ts';
import { changePackage } from './change-package.ts';
import { exportCollections, listCollections } from './collection.ts';
import { clerkOptions, exportHandovers, listHandovers, quoteHandover, readHandover, receiveCash, reverseHandover } from './handover.ts';
import { quoteChange, quoteExtra, quoteRecharge } from './quote.ts';
import { readReceipt } from './receipt.ts';
import { recharge } from './recharge.ts';
import { quoteRefund, refundBalance } from './refund-balance.ts';
import { exportSettlements, listSettlements, reopen, settle } from './settlement.ts';
import { listUserPackages } from './user-package.ts';

export const financeBindings = [
  ...bindAll(moneyCalls, { recharge, addPackage, changePackage, refundBalance }),
  ...bindAll(quoteCalls, { recharge: quoteRecharge, addPackage: quoteExtra, changePackage: quoteChange, refundBalance: quoteRefund }),
  bind(receiptCalls.read, readReceipt),
  bind(userPackageCalls.list, listUserPackages),
  ...bindAll(billCalls, {
    counter: listCounterBills,
    online: listOnlineBills,
    card: listCardBills,
    exportCounter: exportCounterBills,
    exportOnline: exportOnlineBills,
    exportCard: exportCardBills,
    chartCounter,
    chartOnline,
    chartCard,
    check: checkBooks,
  }),
  ...bindAll(userBillCalls, { list: listOpeningBills, export: exportOpeningBills }),
  bind(billExportLogCalls.list, listBillExports),
  ...bindAll(collectionCalls, { list: listCollections, export: exportCollections }),
  ...bindAll(settlementCalls, { list: listSettlements, export: exportSettlements, settle, reopen }),
  ...bindAll(handoverCalls, {
    list: listHandovers,
    create: receiveCash,
    reverse: reverseHandover,
    quote: quoteHandover,
    read: readHandover,
    export: exportHandovers,
    clerks: clerkOptions,
  }),
];
