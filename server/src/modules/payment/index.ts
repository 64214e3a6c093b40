import { payConfigCalls } from '@farlink/contract/advanced/pay-config.ts';
import { payOrderCalls, payOrderQuote } from '@farlink/contract/finance/pay-order.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { createOrder, quoteOrder } from './create-order.ts';
import { listChannels, saveChannel } from './pay-config.ts';
import { quoteWithdrawal } from './quote-withdrawal.ts';
import { readOrder } from './read-order.ts';
import { withdrawOrder } from './withdraw.ts';

export const paymentBindings = [
  ...bindAll(payConfigCalls, { list: listChannels, save: saveChannel }),
  ...bindAll(payOrderCalls, { create: createOrder, read: readOrder, withdraw: withdrawOrder }),
  ...bindAll(payOrderQuote, { quote: quoteOrder, withdrawal: quoteWithdrawal }),
];
