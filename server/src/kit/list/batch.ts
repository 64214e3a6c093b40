import { errors } from '@farlink/contract/errors.ts';
import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Ctx, LogEntry } from '../ctx.ts';
import { toRefusal } from '../to-refusal.ts';

/** Bill of a charged row. */
export interface Charged {
  readonly bill_no: string;
  readonly received: string;
}

/** Text of a refused row in the log. */
interface Named {
  readonly content: Text;
  readonly subject?: string;
  /** The caller already knows that the row is not visible, so it is refused without a query. */
  readonly missing?: boolean;
}

/**
 * Applies an action to each selected row in one transaction. A refused row is rolled back alone, with a reason for the caller and the
 * operator log. Any other error rolls back everything.
 */
export const eachOf = async (
  ctx: Ctx,
  ids: readonly number[],
  named: (id: number) => Named,
  // biome-ignore lint/suspicious/noConfusingVoidType: a row that is not charged returns nothing
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
      const charged = await work({ ...ctx, entries, object: {} }, id);
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
