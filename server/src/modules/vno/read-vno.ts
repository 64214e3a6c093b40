import { limits } from '@farlink/contract/limits.ts';
import { type AgentNode, vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Subject, subjectOwners } from '../../domain/owners.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { belowScope, inScope } from '../../kit/list/scope.ts';
import { agentQuery } from './agent-query.ts';
import { treeOf } from './tree.ts';

export const listVnos: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, agentQuery(ctx));

export const readVno: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await agentQuery(ctx).select('agent.prefix_id').where('agent.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  const { path: _, prefix_id, ...shown } = row;
  return {
    ...shown,
    username: shown.username ?? '',
    contacts: shown.contacts ?? '',
    phone: shown.phone ?? '',
    account_prefix: prefix_id,
    child_count: shown.child_count ?? 0,
  };
};

/** VNOs that a form may offer: another VNO for a transfer, VNOs below for staff, any VNO but the platform for templates. */
const fitsForm = async (ctx: Ctx, form: Subject & { readonly target?: string | null }): Promise<RawBuilder<SqlBool>> => {
  if (form.subject === 'notice' && form.target !== 'subscriber') return belowScope(ctx.me, 'agent.id');
  if (form.subject === 'notice') return sql<SqlBool>`agent.agent_level > 0`;
  if (form.subject === 'staff') return belowScope(ctx.me, 'agent.id');
  if (form.subject === 'template') return sql<SqlBool>`agent.agent_level > 0`;
  const owners = await subjectOwners(ctx, form);
  return owners.length === 1 ? sql<SqlBool>`agent.id <> ${owners[0]}` : sql<SqlBool>`true`;
};

/** If several VNOs have the same name, the name of the parent is added. */
export const vnoOptions: Handler<typeof calls.option> = async (ctx, form) => {
  const rows = await ctx.db
    .selectFrom('agent')
    .leftJoin('agent as parent', 'parent.id', 'agent.parent_id')
    .select(['agent.id', 'agent.name', 'parent.name as parent_name', 'agent.code'])
    .where(inScope(ctx.me, 'agent.id'))
    .where(await fitsForm(ctx, form))
    .orderBy('agent.agent_level')
    .orderBy('agent.name')
    .execute();
  const seen = Map.groupBy(rows, ({ name }) => name);
  const isOnly = ({ name }: (typeof rows)[number]) => seen.get(name)?.length === 1;
  // The parent of the VNO of the session is out of scope.
  const above = (row: (typeof rows)[number]) => (row.id === ctx.me.agent_id ? row.code : (row.parent_name ?? row.code));
  return Object.fromEntries(rows.map((row) => [row.id, isOnly(row) ? row.name : `${row.name} · ${above(row)}`]));
};

/** With a name: the branches that contain a match. With a root: the tree below it. */
export const vnoTopology: Handler<typeof calls.topology> = async (ctx, { vno_id, name }) => {
  const rows = await agentQuery(ctx).orderBy('agent.name').execute();
  const root = vno_id ? rows.find((r) => r.id === vno_id) : undefined;
  if (vno_id && !root) throw fail('not_found');
  const searchText = name?.toLowerCase();
  const hits = rows.filter((r) => (!root || r.path.startsWith(root.path)) && (!searchText || r.name.toLowerCase().includes(searchText)));
  const shownIds = new Set(hits.flatMap((r) => r.path.split('/').filter(Boolean).map(Number)));
  const list = treeOf(
    rows.filter((r) => shownIds.has(r.id) && (!root || r.path.startsWith(root.path))),
    (r, children): AgentNode => ({
      id: r.id,
      name: r.name,
      username: r.username,
      code: r.code,
      parent_id: r.parent_id,
      disabled: r.id === ctx.me.agent_id,
      takes_children: r.agent_child_enable && r.agent_level < limits.agentDepth,
      agent_level: r.agent_level,
      agent_mode: r.agent_mode,
      child_count: r.child_count ?? 0,
      device_count: r.device_count ?? 0,
      card_count: r.card_count ?? 0,
      create_at: r.create_at,
      children,
    }),
  );
  return { list };
};
