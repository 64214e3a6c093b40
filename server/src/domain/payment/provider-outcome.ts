import { fail } from '../../kit/fail.ts';
import { PaymentError } from './payment-error.ts';

/** Error code: the reply of Alipay is signed with another certificate than the stored one. */
const renewed = 'alipay_cert_sn';

/** Errors with an unknown outcome: repeating the call with the same number gives the result. */
export const isOpen = (error: unknown): boolean =>
  error instanceof PaymentError && ['network', 'signature', 'stale'].includes(error.reason);

/** Converts a provider error to a refusal. */
export const toPerson = (error: unknown): unknown => {
  if (!(error instanceof PaymentError)) return error;
  if (error.code === renewed) return fail('pay_cert_renewed');
  return isOpen(error) ? fail('pay_unclear') : fail('pay_refused', { args: [error.text] });
};
