import { requiredText } from '@farlink/contract/kit/check.ts';
import { limitFields } from '@farlink/contract/permission/customer.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { record } from '../../kit/log/record.ts';
import { endSessionsOfCustomer } from '../end-sessions.ts';
import { hashPassword } from '../password.ts';
import { assignableRole } from './assignable-role.ts';
import { refuseHigherLimit } from './collection-limit.ts';
import type { NewCustomer } from './create-customer.ts';
import type { CustomerRow } from './find-customer.ts';
import { releaseSeat, takeSeat } from './license-seat.ts';

type Patch = Partial<{ [K in keyof NewCustomer]: NewCustomer[K] | null }> & {
  readonly version: number;
  readonly job_kind?: 'master' | 'sub' | null;
};

const plain = ['name', 'phone', 'email', 'view_hide_pkg', 'status', 'remark'] as const;

/** Besides the password, what an account must not change for itself. The profile changes password and phone with a proof. */
const bounds = ['status', 'role_id', 'job_kind', 'view_hide_pkg', 'income_limit', 'phone'];

/** Also the account of the operator who acts as another one. */
const isOwn = ({ me }: Ctx, row: CustomerRow) => row.id === me.uid || row.username === me.acted_by;

/** A limit that is switched on without an amount keeps the stored amount; without either it would be no limit. */
const limitOf = ({ income_limit: stored }: CustomerRow, { income_limit_enable: enabled, income_limit: sent }: Patch): string | null => {
  if (enabled === false) return null;
  const limit = sent === undefined ? stored : sent;
  if (enabled === true && limit === null) throw failAt('income_limit', requiredText(limitFields.income_limit));
  return limit ?? stored;
};

const changesOf = (row: CustomerRow, patch: Patch): Record<string, unknown> => {
  const changes: Record<string, unknown> = {};
  for (const key of plain) if (patch[key] !== undefined && patch[key] !== row[key]) changes[key] = patch[key];
  const limit = limitOf(row, patch);
  if (limit !== row.income_limit) changes.income_limit = limit;
  if (patch.role_id && patch.role_id !== (row.role_id ?? row.agent_role_id)) changes.role_id = patch.role_id;
  if (patch.job_kind && row.kind === 'job' && patch.job_kind !== row.job_kind) changes.job_kind = patch.job_kind;
  return changes;
};

/** A master returns its seat; a sub job number takes one. */
const reseat = async (ctx: Ctx, row: CustomerRow, jobKind: unknown) => {
  if (jobKind === 'master') await releaseSeat(ctx, row.license_id);
  return jobKind === 'sub' ? takeSeat(ctx) : null;
};

export const patchCustomer = async (ctx: Ctx, row: CustomerRow, patch: Patch) => {
  if (row.version !== patch.version) throw fail('stale');
  const changes = changesOf(row, patch);
  if (Object.keys(changes).length === 0 && !patch.password) throw fail('unchanged');
  if (row.is_owner && changes.status === 0) throw fail('owner_account');
  if (isOwn(ctx, row) && (patch.password || bounds.some((key) => key in changes))) throw fail('customer_self');
  if (changes.role_id !== undefined) {
    if (row.is_owner)
      throw failAt('role_id', [
        '主账号的角色随VNO角色，请在VNO列表中修改',
        'The main account uses the role of its VNO. Change it in the VNO list.',
      ]);
  }
  const roleId = changes.role_id ?? row.role_id;
  if (roleId !== null && (changes.role_id !== undefined || changes.view_hide_pkg === true))
    await assignableRole(ctx, Number(roleId), {
      ...(row.kind === 'vno' ? { kind: 'agent', vnoId: row.agent_id } : { kind: row.kind }),
      seesHidden: patch.view_hide_pkg ?? row.view_hide_pkg,
    });
  if (changes.income_limit !== undefined && row.kind !== 'vno') await refuseHigherLimit(ctx, limitOf(row, patch));
  if (changes.job_kind !== undefined) changes.license_id = await reseat(ctx, row, changes.job_kind);
  await ctx.db
    .updateTable('customer')
    .set({
      ...changes,
      // An operator entered the phone number, not its holder, so it is unverified.
      ...(changes.phone !== undefined && { phone_at: ctx.now(), phone_verified_at: null }),
      ...(patch.password && { password_hash: await hashPassword(patch.password) }),
      update_at: ctx.now(),
      version: row.version + 1,
    })
    .where('id', '=', row.id)
    .execute();
  if (patch.password || changes.status === 0 || changes.role_id !== undefined || changes.view_hide_pkg !== undefined || changes.job_kind)
    await endSessionsOfCustomer(ctx.db, row.id);
  const before = Object.fromEntries(Object.keys(changes).map((key) => [key, Object.entries(row).find(([k]) => k === key)?.[1]]));
  record(ctx, [`修改账号 ${row.username}`, `Changed account ${row.username}`], {
    before: { ...before, ...(patch.password && { password: 'old' }) },
    after: { ...changes, ...(patch.password && { password: 'new' }) },
  });
};
