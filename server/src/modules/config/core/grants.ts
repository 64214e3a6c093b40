import type { gatewayAccountCalls as calls, GatewayAccount } from '@farlink/contract/config/gateway-config.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { sendAccounts } from '../../../domain/config/accounts.ts';
import { gatewayTree } from '../../../domain/config/gateway-tree.ts';
import { calledOf, findTarget, lockTarget, subjectOf, type Target } from '../../../domain/config/target.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Db } from '../../../kit/deps.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';

type Grants = Readonly<Record<string, Grant>>;

/** Default account, if the request names none and the gateway has reported none. */
const defaultAccount = 'admin';
const choose: Text = ['请选择网关账号', 'Please select a gateway account'];

const accountsOf = (ctx: Ctx, device: Target) =>
  ctx.db
    .selectFrom('device_account as a')
    .leftJoin('role', 'role.id', 'a.role_id')
    .select(['a.id', 'a.username', 'a.role_id', 'role.name as role_name', 'a.version', 'a.permissions'])
    .where('a.device_id', '=', device.id)
    .orderBy('a.username')
    .execute();
type Account = Awaited<ReturnType<typeof accountsOf>>[number];

const selectAccount = (all: readonly Account[], id: number | null | undefined): Account | undefined => {
  if (!id) return all.length === 1 ? all[0] : all.find(({ username }) => username === defaultAccount);
  const found = all.find((one) => one.id === id);
  if (!found) throw fail('not_found');
  return found;
};

const shown = ({ permissions: _, ...account }: Account): GatewayAccount => account;

const findRole = async (ctx: Ctx, id: number) => {
  const row = await ctx.db
    .selectFrom('role')
    .select(['id', 'name', 'gateway_permissions'])
    .where('id', '=', id)
    .where(inScope(ctx.me, 'role.agent_id'))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

export const readGrants: Handler<typeof calls.grants> = async (ctx, { role_id, device_id, account_id }) => {
  const device = device_id ? await findTarget(ctx, device_id) : undefined;
  const role = role_id ? await findRole(ctx, role_id) : undefined;
  const accounts = device ? await accountsOf(ctx, device) : [];
  const account = selectAccount(accounts, account_id);
  const granted = role?.gateway_permissions ?? account?.permissions ?? {};
  return {
    list: gatewayTree(ctx.me.rights.gateway_permissions, granted),
    ...(device && { accounts: accounts.map(shown), account: account ? shown(account) : null }),
  };
};

const lower = (a: Grant, b: Grant): Grant => (a < b ? a : b);
const higher = (a: Grant, b: Grant): Grant => (a < b ? b : a);

const keys = [...gatewayPages.values()].map(gatewayPermission);

/** New grants: as requested, at least the level of the "all" switch, and unchanged where the session has no access. */
const desiredGrants = (ctx: Ctx, before: Grants, requested: Grants, all: Grant): Record<string, Grant> => {
  const own = ctx.me.rights.gateway_permissions;
  const out: Record<string, Grant> = {};
  for (const key of keys) {
    const mine = own === null ? '11' : (own[key] ?? '00');
    const highest: Grant = mine === '11' || mine === '10' ? mine : '00';
    const grant = highest === '00' ? (before[key] ?? '00') : higher(requested[key] ?? '00', lower(all, highest));
    if (grant !== '00') out[key] = grant;
  }
  return out;
};

const isExcess = (ctx: Ctx, requested: Grants) => {
  const own = ctx.me.rights.gateway_permissions;
  return own !== null && Object.entries(requested).some(([key, grant]) => grant > (own[key] ?? '00'));
};

const changes = (before: Grants, after: Grants) => keys.filter((key) => (before[key] ?? '00') !== (after[key] ?? '00'));
const grantTexts = (some: readonly string[], grants: Grants) => some.map((key) => `${key} ${grants[key] ?? '00'}`).join(', ');

interface Assignment {
  readonly device: Target;
  readonly username: string;
  readonly role: { readonly id: number; readonly name: string } | undefined;
  readonly before: Grants;
  readonly after: Grants;
}

const logAssignment = async (db: Db, ctx: Ctx, { device, username, role, before, after }: Assignment, refusal?: Text) => {
  const some = changes(before, after);
  await db
    .insertInto('role_assign_log')
    .values({
      agent_id: device.agent_id,
      device_id: device.id,
      sn: device.sn,
      username,
      role_id: role?.id ?? null,
      role_name: role?.name ?? null,
      before: grantTexts(some, before),
      after: grantTexts(some, after),
      result: refusal ? 'fail' : 'success',
      message_zh: refusal?.[0] ?? null,
      message_en: refusal?.[1] ?? null,
      operator: ctx.me.name,
      ip: ctx.ip,
      create_at: ctx.now(),
    })
    .execute();
};

export const saveGrants: Handler<typeof calls.save> = async (ctx, input) => {
  const device = await lockTarget(ctx, input.device_id);
  const role = input.role_id ? await findRole(ctx, input.role_id) : undefined;
  const accounts = await accountsOf(ctx, device);
  const account = selectAccount(accounts, input.account_id);
  if (!account && accounts.length > 0) throw failAt('account_id', choose);
  const username = account?.username ?? defaultAccount;
  const before: Grants = account?.permissions ?? {};
  const after = desiredGrants(ctx, before, input.permissions, input.write_all ? '11' : input.read_all ? '10' : '00');
  const line = { device, username, role, before, after };
  if (isExcess(ctx, input.permissions)) {
    // Logged outside the transaction, so the attempt is kept after the rollback.
    await logAssignment(ctx.deps.db, ctx, { ...line, after: input.permissions }, errors.role_exceeds.text);
    throw fail('role_exceeds');
  }
  const role_id = role?.id ?? null;
  const some = changes(before, after);
  if (account && some.length === 0 && account.role_id === role_id) throw fail('unchanged');
  const set = { role_id, permissions: JSON.stringify(after), update_at: ctx.now(), version: (account?.version ?? 1) + 1 };
  await ctx.db
    .insertInto('device_account')
    .values({ device_id: device.id, username, ...set })
    .onConflict((oc) => oc.columns(['device_id', 'username']).doUpdateSet(set))
    .execute();
  await logAssignment(ctx.db, ctx, line);
  await sendAccounts(ctx.db, device.id, ctx.now());
  const name = calledOf(device);
  record(
    ctx,
    [`修改设备 ${name} 网关账号 ${username} 的菜单权限`, `Changed the menu permissions of gateway account ${username} on device ${name}`],
    {
      before: { role_id: account?.role_id ?? null, permissions: Object.fromEntries(some.map((key) => [key, before[key] ?? '00'])) },
      after: { role_id, permissions: Object.fromEntries(some.map((key) => [key, after[key] ?? '00'])) },
      subject: subjectOf(device),
    },
  );
};
