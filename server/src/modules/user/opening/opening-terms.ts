import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { addCalls as calls } from '@farlink/contract/user/add.ts';
import { withPrefix } from '@farlink/contract/user/prefix.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { bindingOf } from '../binding.ts';
import { prefixOf } from '../prefix.ts';
import { needsName } from '../real-name.ts';
import { takenAccounts } from './open-accounts.ts';

type Input = InputOf<typeof calls.terms>;

/** The VNO of the chosen device or group. Without one, it is certain only if the session has a single VNO. */
const vnoOf = async (ctx: Ctx, { bind_type, device_id, device_group_id }: Input): Promise<number | undefined> => {
  const isChosen = bind_type === 'vno' || (bind_type === 'group' ? device_group_id : device_id);
  if (bind_type && isChosen) return (await bindingOf(ctx, { bind_type, device_id, device_group_id })).agent_id;
  const below = await ctx.db.selectFrom('agent').select('id').where('parent_id', '=', ctx.me.agent_id).limit(1).executeTakeFirst();
  return below ? undefined : ctx.me.agent_id;
};

/** Prefix and availability of an account, by the rules that open it. */
export const openingTerms: Handler<typeof calls.terms> = async (ctx, input) => {
  const agentId = await vnoOf(ctx, input);
  if (agentId === undefined) return { prefix: null, realname: null, is_taken: false };
  const { prefix } = await prefixOf(ctx, input.account_prefix, agentId, input.account_type);
  const account = input.account ? withPrefix(prefix, input.account) : '';
  const taken = await takenAccounts(ctx.db, account === '' ? [] : [account]);
  return { prefix, realname: await needsName(ctx.db, agentId, input.account_type), is_taken: taken.has(account.toLowerCase()) };
};
