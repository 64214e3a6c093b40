import { errors } from '@farlink/contract/errors.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import type { moneyCalls } from '@farlink/contract/user/money.ts';
import { refuseUnbound } from '../../domain/access/unbound.ts';
import { currentHolding } from '../../domain/metering/store/current-holding.ts';
import { grantPackages, type PackageGrant, packageGrantsOf } from '../../domain/metering/store/grant-packages.ts';
import { findPackage, type PackageRow, refuseNotOffered } from '../../domain/package/find-package.ts';
import { endHoldings } from '../../domain/subscriber/end-holdings.ts';
import { type HoldingEnd, planChange } from '../../domain/subscriber/plan-change.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { lockSelection, namedBy, type Selection, sellTo } from './account.ts';
import { refuseOtherAmount, soldFor, termsOf } from './terms.ts';

/** spec §5: one unsuitable account refuses the whole selection. */
export const refuseSelection = ({ accounts }: Selection) => {
  const all = [...accounts.values()];
  if (all.some((a) => a.account_type === 'job')) throw fail('change_job');
  if (new Set(all.map((a) => a.account_source)).size > 1) throw fail('change_mixed_sources');
  if (all.some((a) => a.status === 'disabled')) throw fail('change_disabled');
};

export const holdingsOf = async (ctx: Ctx, ids: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('holding')
    .select(['id', 'price', 'balance_part', 'package_id'])
    .where('subscriber_id', 'in', ids)
    .execute();
  return {
    paid: new Map(rows.map((h) => [h.id, cents(h.price)])),
    balanceParts: new Map(rows.map((h) => [h.id, cents(h.balance_part)])),
    packages: new Map(rows.map((h) => [h.id, h.package_id])),
  };
};

type Input = Pick<InputOf<typeof moneyCalls.changePackage>, 'effect' | 'pay_method'>;

/** New holdings of the account after the change; `refund` is the amount to return in cents, `toBalance` its part that was paid from the balance. */
export const changeOf = (
  { account, state }: ReturnType<Selection['get']>,
  { paid, balanceParts }: Pick<Awaited<ReturnType<typeof holdingsOf>>, 'paid' | 'balanceParts'>,
  pkg: PackageRow,
  { effect, pay_method }: Input,
  now: number,
) => {
  if (account.account_type === 'temp_card' && pkg.cycle_length !== null)
    throw fail('temp_card_periodic', { fields: { package_id: errors.temp_card_periodic.text } });
  const plan = planChange(state, paid, effect, now);
  if (pkg.expire_at !== null && plan.start_at >= pkg.expire_at)
    throw fail('change_too_late', { fields: { package_id: errors.change_too_late.text } });
  // A free change moves no money in either direction.
  if (pay_method === 'free') return { ...plan, refund: 0n, toBalance: 0n };
  return { ...plan, toBalance: planChange(state, balanceParts, effect, now).refund };
};

export const changePackage: Handler<typeof moneyCalls.changePackage> = async (ctx, input) => {
  const pkg = await findPackage(ctx, input.package_id, 'online');
  const { terms, paid, balancePart } = termsOf(input, pkg.price);
  const selection = await lockSelection(ctx, input.ids);
  refuseSelection(selection);
  const before = await holdingsOf(ctx, input.ids);
  const grants: PackageGrant[] = [];
  const ended: HoldingEnd[] = [];
  const now = ctx.now();
  const result = await eachOf(ctx, input.ids, namedBy(selection, ['变更套餐', 'Package change of']), async (row, id) => {
    const { account, state } = selection.get(id);
    await refuseUnbound(row.db, account);
    await refuseNotOffered(row.db, pkg, account);
    const { ends, refund, toBalance, start_at } = changeOf({ account, state }, before, pkg, input, now);
    const expend = yuan(refund);
    const sale = { ...terms, expend, balance_part: yuan(-toBalance), expense_type: 'change_package', package: pkg } as const;
    const { bill_no, isNew } = await sellTo(row, 'change', account, sale);
    if (isNew) {
      ended.push(...ends);
      const grant = { subscriber_id: id, agent_id: account.agent_id, package_id: pkg.id, count: 1, start_at };
      grants.push(...packageGrantsOf(grant, paid, balancePart));
    }
    const { holding } = currentHolding(state, now);
    record(row, [`变更套餐 ${account.account}`, `Changed the package of ${account.account}`], {
      before: { package_id: holding ? (before.packages.get(holding.id) ?? null) : null },
      after: { package_id: pkg.id, effect: input.effect, bill_no, ...soldFor(terms), expend, to_balance: yuan(toBalance) },
      subject: `subscriber:${id}`,
    });
    return { bill_no, received: yuan(input.pay_method === 'balance' ? 0n : paid - refund + toBalance) };
  });
  refuseOtherAmount(input.received, result);
  await endHoldings(ctx.db, ended);
  await grantPackages(ctx.db, grants, now);
  return result;
};
