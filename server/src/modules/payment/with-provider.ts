import type { Endpoint, InputOf } from '@farlink/contract/kit/endpoint.ts';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import { toPerson } from '../../domain/payment/provider-outcome.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { Refusal } from '../../kit/fail.ts';
import { lineOf, refusedEntry, writeLog } from '../../kit/log/record.ts';

/** Runs one of several transactions of a call, with its operator log lines. */
export const inLog = <T>(ctx: Ctx, call: Endpoint, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  ctx.deps.db.transaction().execute(async (db) => {
    const inside: Ctx = { ...ctx, db, entries: [] };
    const answer = await work(inside);
    for (const entry of inside.entries) await writeLog(db, ctx.me, ctx, { ...lineOf(call), ...entry });
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
      const userError = toPerson(error);
      if (userError instanceof Refusal && userError.reason !== 'bad_input')
        await writeLog(ctx.deps.db, ctx.me, ctx, refusedEntry(call, ctx, userError.text));
      throw userError;
    }
  };
