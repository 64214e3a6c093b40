import { createHmac } from 'node:crypto';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { idempotencyHeader, idempotencyKey } from '@farlink/contract/kit/idempotency.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Ctx } from '../ctx.ts';
import { fail } from '../fail.ts';
import { FileResponse } from '../files/file-response.ts';
import { isUpload } from '../files/upload.ts';
import { open, seal } from '../session/secret.ts';

interface Attempt {
  readonly customer_id: number;
  readonly call: string;
  readonly key: string;
}

const attemptOf = ({ request, me }: Ctx, { method, path }: Endpoint): Attempt | undefined => {
  const key = request.headers[idempotencyHeader];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKey.test(key)) throw fail('bad_key');
  return { customer_id: me.uid, call: `${method} ${path}`, key };
};

/** An upload is compared by content, because each request stores it at another path. */
const hashOf = ({ deps }: Ctx, input: object) =>
  createHmac('sha256', deps.config.secretKey)
    .update(JSON.stringify(input, (_, value: unknown) => (isUpload(value) ? { name: value.name, sha256: value.sha256 } : value)))
    .digest('hex');

/** Claims the key. A parallel request with the same key waits here until the first one commits or rolls back. */
const claim = async (ctx: Ctx, attempt: Attempt, input_hash: string): Promise<boolean> => {
  const now = ctx.now();
  const claimed = await ctx.db
    .insertInto('idempotency_key')
    .values({ ...attempt, input_hash, create_at: now })
    .onConflict((oc) =>
      oc
        .columns(['customer_id', 'call', 'key'])
        .doUpdateSet({ input_hash, answer: null, create_at: now })
        .where('idempotency_key.create_at', '<=', now - limits.idempotencyS),
    )
    .returning('key')
    .executeTakeFirst();
  return claimed !== undefined;
};

const find = ({ db }: Ctx, { customer_id, call, key }: Attempt) =>
  db
    .selectFrom('idempotency_key')
    .select(['input_hash', 'answer'])
    .where('customer_id', '=', customer_id)
    .where('call', '=', call)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();

/** Frees the key, so that the same form can be sent again. */
export const forgetKey = async (ctx: Ctx, call: Endpoint): Promise<void> => {
  const attempt = attemptOf(ctx, call);
  if (!attempt) return;
  const { customer_id, key } = attempt;
  await ctx.db
    .deleteFrom('idempotency_key')
    .where('customer_id', '=', customer_id)
    .where('call', '=', attempt.call)
    .where('key', '=', key)
    .execute();
};

/** A batch that refused every row changed nothing, so it counts as a refusal. */
const isRefused = (output: unknown) =>
  typeof output === 'object' && output !== null && 'success' in output && 'fail' in output && output.success === 0 && output.fail !== 0;

const storeReply = async (ctx: Ctx, call: Endpoint, { customer_id, key, call: name }: Attempt, output: unknown) => {
  if (output instanceof FileResponse || isRefused(output)) return forgetKey(ctx, call);
  await ctx.db
    .updateTable('idempotency_key')
    .set({ answer: seal(ctx.deps.config.secretKey, JSON.stringify(output ?? null)) })
    .where('customer_id', '=', customer_id)
    .where('call', '=', name)
    .where('key', '=', key)
    .execute();
};

/**
 * Runs the work once for the request's key, in the caller's transaction: key, effect and reply are stored together. A repeated key gets the
 * first reply. A refusal rolls back the key as well.
 */
export const once = async <T>(ctx: Ctx, call: Endpoint, input: object, work: () => Promise<T>): Promise<T> => {
  const attempt = attemptOf(ctx, call);
  if (!attempt) return work();
  const hash = hashOf(ctx, input);
  if (!(await claim(ctx, attempt, hash))) {
    const { input_hash, answer } = await find(ctx, attempt);
    if (input_hash !== hash || answer === null) throw fail('key_reused');
    ctx.reply.header('idempotency-replayed', 'true');
    return JSON.parse(open(ctx.deps.config.secretKey, answer));
  }
  const output = await work();
  await storeReply(ctx, call, attempt, output);
  return output;
};
