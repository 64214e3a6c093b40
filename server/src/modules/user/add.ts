import type { addCalls } from '@farlink/contract/user/add.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { openAccount } from './open-account.ts';
import { openBatch } from './opening/open-batch.ts';

/** One account at the counter, or a batch by rule. */
export const addUsers: Handler<typeof addCalls.add> = (ctx, input) =>
  input.account_source === 'batch' ? openBatch(ctx, input) : openAccount(ctx, input);
