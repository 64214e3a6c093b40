import { payConfigCalls } from '@farlink/contract/advanced/pay-config.ts';
import { payOrderCalls, payOrderQuote } from '@farlink/contract/finance/pay-order.ts';
import { bind } from '../../kit/http/serve.ts';
import { createOrder, quoteOrder } from './create-order.ts';
import { listChannels, saveChannel } from './pay-config.ts';
import { quoteWithdrawal } from './quote-withdrawal.ts';
import { readOrder } from './read-order.ts';
import { withdrawOrder } from './withdraw.ts';

export const paymentBindings = [
  bind(payConfigCalls.list, listChannels),
  bind(payConfigCalls.save, saveChannel),
  bind(payOrderCalls.create, createOrder),
  bind(payOrderQuote.quote, quoteOrder),
  bind(payOrderQuote.withdrawal, quoteWithdrawal),
  bind(payOrderCalls.read, readOrder),
  bind(payOrderCalls.withdraw, withdrawOrder),
];
