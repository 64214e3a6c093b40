import { errors } from '@farlink/contract/errors.ts';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { type AccountType, accountType } from '@farlink/contract/user/choices.ts';
import { openConfigCalls as calls } from '@farlink/contract/user/user-account.ts';
import { sql } from 'kysely';
import { findPackage, refuseNotOffered } from '../../../domain/package/find-package.ts';
import { unlessHidden } from '../../../domain/package/package-sql.ts';
import { recheckLater } from '../../../domain/subscriber/recheck-job.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { chosenPrefix } from '../prefix.ts';

const typeLabel = (type: AccountType): Text => accountType.find((t) => t.id === type)?.label ?? [type, type];

/** Default name: the account type in the language of the reader. */
const nameText = (lang: Lang) =>
  sql<string>`coalesce(open_config.name, case open_config.account_type ${sql.join(
    accountType.map((t) => sql`when ${t.id} then ${say(t.label, lang)}::text`),
    sql` `,
  )} end)`;

const configs = (ctx: Ctx) =>
  ctx.db
    .selectFrom('open_config')
    .leftJoin('agent', 'agent.id', 'open_config.agent_id')
    .leftJoin('prefix', (join) => join.on('prefix.id', '=', sql<number>`coalesce(open_config.prefix_id, agent.prefix_id)`))
    .leftJoin('package', 'package.id', 'open_config.package_id')
    .leftJoin('application', 'application.id', 'open_config.application_id')
    .leftJoin('policy', 'policy.id', 'open_config.policy_id')
    .select((eb) => [
      'open_config.id',
      'open_config.version',
      'open_config.account_type',
      'open_config.allow_logins',
      'open_config.valid_days',
      'open_config.realname',
      'open_config.package_id',
      'open_config.agent_id as vno_id',
      'open_config.update_at',
      'prefix.prefix as account_prefix',
      'application.name as application_name',
      'policy.name as policy_name',
      'agent.name as agent_name',
      nameText(ctx.lang).as('name'),
      unlessHidden<string>(ctx.me, 'package.name').as('package_name'),
      eb
        .selectFrom('subscriber')
        .whereRef('subscriber.config_id', '=', 'open_config.id')
        .select((s) => s.fn.countAll<number>().as('n'))
        .as('user_count'),
    ])
    .where(inScope(ctx.me, 'open_config.agent_id'));

/** Default order by the VNO tree: the VNO of the session first. */
const { resource } = calls.list;
const inTree = { ...calls.list, resource: { ...resource, columns: [...resource.columns, 'place'], orderby: 'place asc' as const } };

export const listConfigs: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(ctx.db, inTree, input, configs(ctx).select('agent.path as place'));

/** Configurations of the VNO of the session, which it uses to open accounts. */
export const configOptions: Handler<typeof calls.option> = async (ctx) => {
  const rows = await configs(ctx).where('open_config.agent_id', '=', ctx.me.agent_id).orderBy('open_config.id').execute();
  return Object.fromEntries(rows.map((row) => [row.id, row.name]));
};

const find = async (ctx: Ctx, id: number, lock: boolean) => {
  const row = await ctx.db
    .selectFrom('open_config')
    .selectAll()
    .where('id', '=', id)
    .where(inScope(ctx.me, 'open_config.agent_id'))
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

export const readConfig: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await find(ctx, id, false);
  const { account_type, package_id, allow_logins, valid_days, realname, application_id, policy_id, remark, version } = row;
  return {
    id,
    name: row.name ?? say(typeLabel(account_type), ctx.lang),
    account_type,
    account_prefix: row.prefix_id,
    package_id,
    allow_logins,
    valid_days,
    realname,
    application_id,
    policy_id,
    remark,
    version,
  };
};

/** Templates must be in scope and belong to the VNO of the configuration or a VNO above it. */
const refuseForeign = async (ctx: Ctx, table: 'application' | 'policy', id: number | null | undefined, agentId: number) => {
  if (!id) return;
  const found = await ctx.db
    .selectFrom(table)
    .innerJoin('agent', 'agent.id', `${table}.agent_id`)
    .select(`${table}.id`)
    .where(`${table}.id`, '=', id)
    .where(inScope(ctx.me, `${table}.agent_id`))
    .where(sql<boolean>`(select path from agent where id = ${agentId}) like agent.path || '%'`)
    .executeTakeFirst();
  if (!found) throw failAt(`${table}_id`, ['请选择有效的数据', 'Please select a valid entry']);
};

/** spec §5: a temporary card cannot have a periodic package; a package is sold by its VNO and VNOs below. */
const refusePackage = async (ctx: Ctx, id: number | null | undefined, type: AccountType, agentId: number) => {
  if (!id) return;
  const sold = await findPackage(ctx, id, 'online');
  if (type === 'temp_card' && sold.cycle_length !== null) throw failAt('package_id', errors.temp_card_periodic.text);
  await refuseNotOffered(ctx.db, sold, { agent_id: agentId, device_id: null, device_group_id: null });
};

export const updateConfig: Handler<typeof calls.update> = async (ctx, input) => {
  const before = await find(ctx, input.id, true);
  if (before.version !== input.version) throw fail('stale');
  const { agent_id, account_type } = before;
  const { prefix_id } = await chosenPrefix(ctx, input.account_prefix, agent_id);
  await refusePackage(ctx, input.package_id === before.package_id ? null : input.package_id, account_type, agent_id);
  await refuseForeign(ctx, 'application', input.application_id, agent_id);
  await refuseForeign(ctx, 'policy', input.policy_id, agent_id);
  const label = typeLabel(account_type);
  const row = {
    name: label.includes(input.name) ? null : input.name,
    prefix_id,
    package_id: input.package_id ?? null,
    allow_logins: input.allow_logins,
    valid_days: input.valid_days,
    realname: input.realname ?? true,
    application_id: input.application_id ?? null,
    policy_id: input.policy_id ?? null,
    remark: input.remark ?? null,
  };
  const stored: Record<string, unknown> = before;
  const after = Object.fromEntries(Object.entries(row).filter(([key, value]) => stored[key] !== value));
  if (Object.keys(after).length === 0) throw fail('unchanged');
  await ctx.db
    .updateTable('open_config')
    .set({ ...row, update_at: ctx.now(), version: before.version + 1 })
    .where('id', '=', before.id)
    .execute();
  if ('policy_id' in after) await recheckLater(ctx, { config_id: before.id });
  record(ctx, [`修改开户配置 ${before.name ?? label[0]}`, `Changed opening configuration ${before.name ?? label[1]}`], {
    before: Object.fromEntries(Object.keys(after).map((key) => [key, stored[key]])),
    after,
  });
};
