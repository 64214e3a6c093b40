import { billCalls } from '@farlink/contract/finance/bill.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { billExportLogCalls } from '@farlink/contract/log/bill-export-log.ts';
import { userPackageCalls } from '@farlink/contract/package/user-package.ts';
import { moneyCalls, quoteCalls } from '@farlink/contract/user/money.ts';
import { userBillCalls } from '@farlink/contract/user/user-bill.ts';
import { bind } from '../../kit/http/serve.ts';
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
import { quoteChange, quoteExtra, quoteRecharge } from './quote.ts';
import { readReceipt } from './receipt.ts';
import { recharge } from './recharge.ts';
import { listUserPackages } from './user-package.ts';

export const financeBindings = [
  bind(moneyCalls.recharge, recharge),
  bind(moneyCalls.addPackage, addPackage),
  bind(moneyCalls.changePackage, changePackage),
  bind(quoteCalls.recharge, quoteRecharge),
  bind(quoteCalls.addPackage, quoteExtra),
  bind(quoteCalls.changePackage, quoteChange),
  bind(receiptCalls.read, readReceipt),
  bind(userPackageCalls.list, listUserPackages),
  bind(billCalls.counter, listCounterBills),
  bind(billCalls.online, listOnlineBills),
  bind(billCalls.card, listCardBills),
  bind(billCalls.exportCounter, exportCounterBills),
  bind(billCalls.exportOnline, exportOnlineBills),
  bind(billCalls.exportCard, exportCardBills),
  bind(billCalls.chartCounter, chartCounter),
  bind(billCalls.chartOnline, chartOnline),
  bind(billCalls.chartCard, chartCard),
  bind(billCalls.check, checkBooks),
  bind(userBillCalls.list, listOpeningBills),
  bind(userBillCalls.export, exportOpeningBills),
  bind(billExportLogCalls.list, listBillExports),
];
