import { errors } from '@farlink/contract/errors.ts';
import type { PayMethod } from '@farlink/contract/finance/choices.ts';
import { requiredText } from '@farlink/contract/kit/check.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { addCalls, type Opened } from '@farlink/contract/user/add.ts';
import { maskIdNumber, maskPhone } from '@farlink/contract/user/mask.ts';
import { postSale } from '../../domain/ledger/post-sale.ts';
import { grantPackages } from '../../domain/metering/store/grant-packages.ts';
import { findPackage, refuseNotOffered } from '../../domain/package/find-package.ts';
import { wholeAccount } from '../../domain/subscriber/account-prefix.ts';
import { insertSubscribers } from '../../domain/subscriber/insert-subscribers.ts';
import { logPolicy } from '../../domain/subscriber/log-policy.ts';
import { storePhoto } from '../../domain/subscriber/store-photo.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { type Binding, bindingOf } from './binding.ts';
import { subjectOf } from './find-user.ts';
import { prefixOf } from './prefix.ts';
import { refuseNameless } from './real-name.ts';
import { policyOf } from './templates.ts';

type Input = InputOf<typeof addCalls.add>;
const { input: fields } = addCalls.add;

const texts = {
  past: ['到期时间须晚于当前时间', 'The expiry date must be in the future'],
  freeAmount: ['免收时不填写实收金额', 'Leave the received amount empty when free of charge'],
  aboveDue: ['实收金额不能超过套餐价格{0}元', 'The received amount cannot exceed the package price of {0} yuan'],
  unequal: ['实收金额加优惠金额应等于套餐价格{0}元', 'Received amount plus discount must equal the package price of {0} yuan'],
  config: ['请选择有效的开户配置', 'Please select a valid opening configuration'],
} as const satisfies Record<string, Text>;

/** Returns a value that the contract requires for this kind of opening. */
const required = <T>(value: T | null | undefined, name: keyof typeof fields): T => {
  if (value === null || value === undefined) throw failAt(name, requiredText(fields[name]));
  return value;
};

interface Terms {
  readonly pay_method: PayMethod;
  readonly discount: string;
  readonly paid: string;
}

/** Accepts the discount, the received amount, or both if they agree. */
const termsOf = (price: string, { amount, discount, pay_method }: Pick<Input, 'amount' | 'discount' | 'pay_method'>): Terms => {
  const due = cents(price);
  if (due > cents(limits.billMax)) throw fail('bill_too_large', { args: [limits.billMax] });
  if (pay_method === 'free') {
    if (amount && cents(amount) > 0n) throw failAt('amount', texts.freeAmount);
    return { pay_method, discount: price, paid: '0.00' };
  }
  const off = discount ? cents(discount) : amount ? due - cents(amount) : 0n;
  if (off > due) throw failAt('discount', errors.discount_too_high.text);
  if (off < 0n) throw failAt('amount', fill(texts.aboveDue, price));
  if (amount && due - off !== cents(amount)) throw failAt('amount', fill(texts.unequal, price));
  return { pay_method: pay_method ?? 'cash', discount: yuan(off), paid: yuan(due - off) };
};

/** The package, and the terms of its sale; a job account gets it without a sale. */
const findOffer = async (ctx: Ctx, input: Input, binding: Binding) => {
  const sold = await findPackage(ctx, input.package_id, 'online');
  if (input.account_type === 'temp_card' && sold.cycle_length !== null) throw failAt('package_id', errors.temp_card_periodic.text);
  await refuseNotOffered(ctx.db, sold, binding);
  return { sold, terms: input.account_type === 'job' ? null : termsOf(sold.price, input) };
};

const refuseForeignConfig = async (ctx: Ctx, id: number | null | undefined) => {
  if (!id) return;
  const known = await ctx.db
    .selectFrom('open_config')
    .select('id')
    .where('id', '=', id)
    .where(inScope(ctx.me, 'open_config.agent_id'))
    .executeTakeFirst();
  if (!known) throw failAt('config_id', texts.config);
};

const rowOf = (ctx: Ctx, input: Input, binding: Binding) => ({
  agent_id: binding.agent_id,
  device_id: binding.device_id,
  device_group_id: binding.device_group_id,
  whole_vno: binding.whole_vno,
  account_type: input.account_type,
  account_source: 'counter' as const,
  name: required(input.name, 'name'),
  phone: required(input.phone, 'phone'),
  id_type: input.id_type ?? 'id_card',
  id_number: input.id_number ?? null,
  email: input.email ?? null,
  cert_start_at: input.cert_start_at ?? null,
  cert_end_at: input.cert_end_at ?? null,
  issuing_authority: input.issuing_authority ?? null,
  allow_logins: input.allow_logins,
  bind_ip: input.bind_ip ?? null,
  bind_mac: input.bind_mac?.toLowerCase() ?? null,
  vlan_id: input.vlan_id ?? null,
  expire_at: input.expire_at,
  remark: input.remark ?? null,
  create_at: ctx.now(),
});

/** Opens one account at the counter, sells its package and grants it, all or nothing. */
export const openAccount = async (ctx: Ctx, input: Input): Promise<Opened> => {
  const now = ctx.now();
  if (input.expire_at <= now) throw failAt('expire_at', texts.past);
  await refuseForeignConfig(ctx, input.config_id);
  const binding = await bindingOf(ctx, input);
  const { prefix_id, prefix } = await prefixOf(ctx, input.account_prefix, binding.agent_id, input.account_type);
  const account = wholeAccount(prefix, required(input.account, 'account'));
  await refuseNameless(ctx.db, binding.agent_id, input.account_type, input.id_number);
  const { sold, terms } = await findOffer(ctx, input, binding);
  const policy = await policyOf(ctx, input, { agent_id: binding.agent_id });
  const row = { ...rowOf(ctx, input, binding), ...policy, prefix_id, account };
  const photo = await storePhoto(ctx, input.photo);
  const [id] = await insertSubscribers(ctx.db, ctx.deps.config.secretKey, [{ ...row, ...photo, password: input.password }]);
  if (id === undefined) throw new Error('an account was opened without an id');
  let bill_no: string | null = null;
  if (terms) {
    const seller = { agent_id: binding.agent_id, customer_id: ctx.me.uid, operator: ctx.me.name };
    const sale = {
      cause: `open:${account}:${id}`,
      channel: 'counter',
      expense_type: 'open',
      pay_method: terms.pay_method,
      income: sold.price,
      discount: terms.discount,
      buyer: { ...row, id },
      package: { id: sold.id, name: sold.name },
      bind_name: binding.bind_name,
      remark: row.remark,
    } as const;
    bill_no = (await postSale(ctx.db, seller, sale, now)).bill_no;
  }
  const grant = { subscriber_id: id, agent_id: binding.agent_id, package_id: sold.id, price: terms?.paid ?? '0.00', count: 1 };
  await grantPackages(ctx.db, [grant], now);
  if (policy.custom_policy) await logPolicy(ctx.db, { ...row, id }, ctx.me.name, now);
  const { phone, id_number, ...plain } = row;
  record(ctx, [`开户 ${account}`, `Opened account ${account}`], {
    after: {
      ...plain,
      phone: maskPhone(phone),
      id_number: id_number && maskIdNumber(id_number),
      package_id: sold.id,
      ...(terms && { bill_no, ...terms }),
    },
    subject: subjectOf(id),
  });
  return { id, account, bill_no };
};
