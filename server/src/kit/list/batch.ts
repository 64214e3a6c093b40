import { errors } from '@farlink/contract/errors.ts';
import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Ctx, LogEntry } from '../ctx.ts';
import { toRefusal } from '../http/send-reply.ts';

/** The bill that a row was charged by. */
export interface Charged {
  readonly bill_no: string;
  readonly received: string;
}

/** What a row is called in the log when it is refused. */
interface Named {
  readonly content: Text;
  readonly subject?: string;
  /** The caller looked it up and may see no such row: it is refused without a query. */
  readonly missing?: boolean;
}

/**
 * Does the same to each row of a selection, in the one transaction of the call. A row that is refused is taken back alone and says why,
 * to the caller and in the operator log; anything else that goes wrong takes back everything.
 */
export const eachOf = async (
  ctx: Ctx,
  ids: readonly number[],
  named: (id: number) => Named,
  // biome-ignore lint/suspicious/noConfusingVoidType: a row that is not charged answers nothing
  work: (ctx: Ctx, id: number) => Promise<Charged | void>,
): Promise<BatchResult> => {
  const list: BatchResult['list'][number][] = [];
  const refuse = (id: number, { content, subject }: Named, message: Text, field?: string) => {
    ctx.entries.push({ content, subject, message });
    list.push({ id, success: false, message: say(message, ctx.lang), ...(field !== undefined && { field }) });
  };
  for (const id of [...ids].sort((a, b) => a - b)) {
    const name = named(id);
    if (name.missing) {
      refuse(id, name, errors.not_found.text);
      continue;
    }
    const entries: LogEntry[] = [];
    await sql`savepoint row_of_batch`.execute(ctx.db);
    try {
      const charged = await work({ ...ctx, entries }, id);
      await sql`release savepoint row_of_batch`.execute(ctx.db);
      ctx.entries.push(...entries);
      list.push({ id, success: true, message: '', ...charged });
    } catch (error) {
      const refusal = toRefusal(error, undefined, ctx.request.id);
      if (refusal.reason === 'internal') throw error;
      await sql`rollback to savepoint row_of_batch`.execute(ctx.db);
      const [wrong] = Object.entries(refusal.details.fields ?? {});
      refuse(id, name, wrong?.[1] ?? refusal.text, wrong?.[0]);
    }
  }
  const success = list.filter((row) => row.success).length;
  return { success, fail: list.length - success, list };
};
