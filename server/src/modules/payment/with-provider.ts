import type { Endpoint, InputOf } from '@farlink/contract/kit/endpoint.ts';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, Refusal } from '../../kit/fail.ts';
import { actionOf, writeLog } from '../../kit/log/record.ts';

/** Error code: the reply of Alipay is signed with another certificate than the stored one. */
const renewed = 'alipay_cert_sn';

/** Errors with an unknown outcome: repeating the call with the same number gives the result. */
export const isOpen = (error: unknown): boolean =>
  error instanceof PaymentError && ['network', 'signature', 'stale'].includes(error.reason);

/** Converts a provider error to a refusal for the operator. */
export const toPerson = (error: unknown): unknown => {
  if (!(error instanceof PaymentError)) return error;
  if (error.code === renewed) return fail('pay_cert_renewed');
  return isOpen(error) ? fail('pay_unclear') : fail('pay_refused', { args: [error.text] });
};

const entryOf = (call: Endpoint) => ({ module: call.module, action: actionOf(call) });

/** Runs one of several transactions of a call, with its operator log lines. */
export const inLog = <T>(ctx: Ctx, call: Endpoint, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  ctx.deps.db.transaction().execute(async (db) => {
    const inside: Ctx = { ...ctx, db, entries: [] };
    const answer = await work(inside);
    for (const entry of inside.entries) await writeLog(db, ctx.me, ctx, { ...entryOf(call), ...entry });
    return answer;
  });

/** Wraps a call that contacts a provider outside any transaction. Refusals are written to the operator log. */
export const withProvider =
  <E extends Endpoint, T>(call: E, work: (ctx: Ctx, input: InputOf<E>) => Promise<T>) =>
  async (ctx: Ctx, input: InputOf<E>): Promise<T> => {
    try {
      return await work(ctx, input);
    } catch (error) {
      if (error instanceof PaymentError) ctx.deps.log.warn({ reason: error.reason, code: error.code }, 'payment provider call failed');
      const said = toPerson(error);
      if (said instanceof Refusal && said.reason !== 'bad_input')
        await writeLog(ctx.deps.db, ctx.me, ctx, { ...entryOf(call), content: call.summary, message: said.text });
      throw said;
    }
  };
