import { requiredText } from '@farlink/contract/kit/check.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { rules } from '@farlink/contract/rules.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { numberedAccount } from '@farlink/contract/user/numbered.ts';
import type { OpeningResult } from '@farlink/contract/user/opening.ts';
import { findPackage } from '../../../domain/package/find-package.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { failAt } from '../../../kit/fail.ts';
import { bindingOf } from '../binding.ts';
import { prefixOf } from '../prefix.ts';
import { refuseWithoutNames } from '../real-name.ts';
import { beginOpening } from './begin-opening.ts';
import { expandNumbers, type NumberRule } from './expand-rule.ts';
import { refusePeriodic } from './open-accounts.ts';

const wrongLength: Text = ['前缀加编号须为4-20位', 'Prefix plus number must be 4-20 characters'];
export const pastExpiry: Text = ['到期时间须晚于当前时间', 'The expiry must be later than now'];

const fits = (account: string) => rules.internet_account.test(account, {}, { passwordRule: defaultPasswordRule });

/** Opens accounts by prefix and number, with one password and one bill. */
export const openBatch = async (ctx: Ctx, input: InputOf<typeof addCalls.add>): Promise<OpeningResult> => {
  const { account_type, start_no = '', count = 0, password, allow_logins, expire_at, package_id } = input;
  const binding = await bindingOf(ctx, input);
  const { prefix_id, prefix } = await prefixOf(ctx, input.account_prefix, binding.agent_id, account_type);
  if (prefix_id === null) throw failAt('account_prefix', requiredText(addCalls.add.input.account_prefix));
  await refuseWithoutNames(ctx.db, binding.agent_id, account_type);
  if (expire_at <= ctx.now()) throw failAt('expire_at', pastExpiry);
  const rule: NumberRule = { account_type, prefix, start_no: start_no ?? '', count: count ?? 0, password, allow_logins, expire_at };
  if (![0, rule.count - 1].every((offset) => fits(numberedAccount(prefix, rule.start_no, offset)))) throw failAt('start_no', wrongLength);
  if (account_type === 'temp_card' && package_id) refusePeriodic(await findPackage(ctx, package_id, 'online'));
  const order = {
    terms: {
      way: 'open_batch' as const,
      place: binding,
      prefix_id,
      package_id: package_id ?? null,
      sale: account_type === 'job' ? null : { discount: input.discount ?? null, pay_method: input.pay_method ?? 'cash' },
      atomic: false,
      producer: null,
      remark: input.remark ?? null,
    },
    spec: rule,
    total: rule.count,
  };
  return beginOpening(ctx, order, async () => expandNumbers(rule));
};
