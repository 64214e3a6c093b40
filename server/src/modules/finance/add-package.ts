import { yuan } from '@farlink/contract/kit/money.ts';
import type { moneyCalls } from '@farlink/contract/user/money.ts';
import { refuseUnbound } from '../../domain/access/unbound.ts';
import type { MeterState } from '../../domain/metering/engine/types.ts';
import { currentHolding } from '../../domain/metering/store/current-holding.ts';
import { grantPackages, type PackageGrant, packageGrantsOf } from '../../domain/metering/store/grant-packages.ts';
import { findPackage, refuseNotOffered } from '../../domain/package/find-package.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { type Account, lockSelection, namedBy, sellTo } from './account.ts';
import { refuseOtherAmount, soldFor, termsOf } from './terms.ts';

/** An extra package needs an online package that is active or exhausted. Nothing is sold to job accounts. */
export const refuseExtra = ({ account_type }: Pick<Account, 'account_type'>, state: MeterState, now: number) => {
  if (account_type === 'job') throw fail('job_not_sold');
  const { status } = currentHolding(state, now);
  if (status !== 'normal' && status !== 'exhausted') throw fail('extra_needs_package');
};

export const addPackage: Handler<typeof moneyCalls.addPackage> = async (ctx, input) => {
  const { count } = input;
  const pkg = await findPackage(ctx, input.package_id, 'extra');
  const { terms, paid, balancePart, received } = termsOf(input, pkg.price, count);
  const selection = await lockSelection(ctx, input.ids);
  const grants: PackageGrant[] = [];
  const now = ctx.now();
  const result = await eachOf(ctx, input.ids, namedBy(selection, ['订购加油包', 'Extra package for']), async (row, id) => {
    const { account, state } = selection.get(id);
    refuseExtra(account, state, now);
    await refuseUnbound(row.db, account);
    await refuseNotOffered(row.db, pkg, account);
    const { bill_no, isNew } = await sellTo(row, 'extra', account, { ...terms, expense_type: 'extra_package', package: pkg, count });
    const grant = { subscriber_id: id, agent_id: account.agent_id, package_id: pkg.id, count };
    if (isNew) grants.push(...packageGrantsOf(grant, paid, balancePart));
    record(row, [`订购加油包 ${account.account}`, `Added an extra package to ${account.account}`], {
      after: { package_id: pkg.id, count, bill_no, ...soldFor(terms) },
      subject: `subscriber:${id}`,
    });
    return { bill_no, received: yuan(received) };
  });
  refuseOtherAmount(input.received, result);
  await grantPackages(ctx.db, grants, now);
  return result;
};
