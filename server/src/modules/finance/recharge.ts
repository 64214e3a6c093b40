import { yuan } from '@farlink/contract/kit/money.ts';
import type { moneyCalls } from '@farlink/contract/user/money.ts';
import { refuseUnbound } from '../../domain/access/unbound.ts';
import { redeemCard } from '../../domain/card/redeem-card.ts';
import type { MeterState } from '../../domain/metering/engine/types.ts';
import { currentHolding } from '../../domain/metering/store/current-holding.ts';
import { grantPackages, type PackageGrant, packageGrantsOf } from '../../domain/metering/store/grant-packages.ts';
import type { PackageRow } from '../../domain/package/find-package.ts';
import { refuseRecharge, refuseTooLong } from '../../domain/subscriber/refuse-recharge.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { type Account, lockSelection, namedBy, sellTo } from './account.ts';
import { refuseOtherAmount, soldFor, termsOf } from './terms.ts';

/** Package of each holding that may be renewed. */
export const packagesOf = async (ctx: Ctx, ids: readonly number[]): Promise<Map<number, PackageRow>> => {
  const rows = await ctx.db
    .selectFrom('holding')
    .innerJoin('package', 'package.id', 'holding.package_id')
    .selectAll('package')
    .select('holding.id as holding_id')
    .where('holding.subscriber_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.holding_id, row]));
};

/** Current package of the account, if it can be renewed `count` times. */
export const renewable = (packages: ReadonlyMap<number, PackageRow>, state: MeterState, count: number, now: number): PackageRow => {
  const { holding } = currentHolding(state, now);
  const pkg = holding && packages.get(holding.id);
  if (!pkg) throw fail('recharge_no_package');
  const stored = state.holdings.filter((h) => packages.get(h.id)?.id === pkg.id);
  refuseTooLong(pkg, stored, count, now);
  return pkg;
};

export const recharge: Handler<typeof moneyCalls.recharge> = async (ctx, input) => {
  if (input.kind === 'card' && input.ids.length > 1) throw fail('recharge_one_card');
  const selection = await lockSelection(ctx, input.ids);
  const packages = await packagesOf(ctx, input.ids);
  const grants: PackageGrant[] = [];
  const now = ctx.now();

  const sold = (row: Ctx, { id, account }: Account, after: object) =>
    record(row, [`充值 ${account}`, `Recharged ${account}`], { after: { kind: input.kind, ...after }, subject: `subscriber:${id}` });

  const renew = async (row: Ctx, account: Account, state: MeterState) => {
    await refuseUnbound(row.db, account);
    const count = input.count ?? 1;
    const pkg = renewable(packages, state, count, now);
    const { terms, paid, balancePart, received } = termsOf(input, pkg.price, count);
    const { bill_no, isNew } = await sellTo(row, 'recharge', account, { ...terms, expense_type: 'recharge', package: pkg, count });
    const grant = { subscriber_id: account.id, agent_id: account.agent_id, package_id: pkg.id, count };
    if (isNew) grants.push(...packageGrantsOf(grant, paid, balancePart));
    sold(row, account, { package_id: pkg.id, count, bill_no, ...soldFor(terms) });
    return { bill_no, received: yuan(received) };
  };

  const topUp = async (row: Ctx, account: Account) => {
    const { terms, paid } = termsOf(input, input.amount ?? '0');
    const { bill_no } = await sellTo(row, 'recharge', account, { ...terms, expense_type: 'recharge', into: 'balance' });
    sold(row, account, { bill_no, ...soldFor(terms) });
    return { bill_no, received: yuan(paid) };
  };

  const byCard = (row: Ctx, { id }: Account) =>
    redeemCard(row, { number: input.card_number ?? '', password: input.card_password ?? '', subscriber_id: id });

  const result = await eachOf(ctx, input.ids, namedBy(selection, ['充值', 'Recharge']), async (row, id) => {
    const { account, state } = selection.get(id);
    refuseRecharge(account, state, now);
    return { package: renew, amount: topUp, card: byCard }[input.kind](row, account, state);
  });
  refuseOtherAmount(input.received, result);
  await grantPackages(ctx.db, grants, now);
  return result;
};
