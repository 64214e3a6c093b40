import { errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { batchOf } from '../actions/batch.ts';
import { notify } from '../chrome/notify.tsx';
import { CallError, type CallOptions, call } from './call.ts';
import { inputFor } from './wire.ts';

/** Calls an endpoint for rows. The refusal of a single outcome becomes the error of the call. */
export const callRows = async (e: Endpoint, rows: readonly AnyRow[], known: Values, options?: CallOptions): Promise<unknown> => {
  const reply: unknown = await call(e, inputFor(e, known), options);
  const list = batchOf(reply)?.list ?? [];
  const refused = rows.length === 1 && list.length === 1 ? list.find((outcome) => !outcome.success) : undefined;
  if (!refused) return reply;
  notify.error(refused.message);
  const data = refused.field === undefined ? null : { fields: { [refused.field]: refused.message } };
  throw new CallError(errors.bad_input.code, refused.message, data);
};
