import { readDangerDomain } from '@farlink/contract/advanced/danger-domain.ts';
import { dangerSiteCalls as calls } from '@farlink/contract/advanced/danger-site.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { domainsOf } from '@farlink/gateway/protocol/danger-list.ts';
import { type Selectable, sql } from 'kysely';
import type { DangerSiteTable } from '../../../db/tables.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { eachOf } from '../../../kit/list/batch.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { lockRow } from '../../../kit/list/rows.ts';
import { record } from '../../../kit/log/record.ts';
import { fullText, lockList, type Names, namesOf, ownHosts, refuseOwn, shownDomain } from './read-entry.ts';

/** The list applies to all gateways, so an operator limited to some devices or VNOs can read it but not change it. */
export const refuseLimited = ({ me }: Ctx) => {
  if (me.rights.device_ids || me.rights.vno_ids) throw fail('denied');
};

/** A pasted address or an ASCII form finds the name that is shown. */
const searched = (typed: unknown) => {
  const read = typeof typed === 'string' && /[/:]|xn--/i.test(typed) ? readDangerDomain(typed) : undefined;
  return read && 'domain' in read ? { domain: shownDomain(read.domain) } : {};
};

export const listDangerSites: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    { ...input, filters: { ...input.filters, ...searched(input.filters.domain) } },
    ctx.db.selectFrom('danger_site').select(['id', 'version', 'domain', 'kind', 'hit_count', 'status', 'remark', 'creator', 'create_at']),
  );

const columnsOf = (input: Pick<InputOf<typeof calls.create>, 'kind' | 'status' | 'remark'>, names: Names) => ({
  ...names,
  kind: input.kind,
  status: input.status ?? 1,
  remark: input.remark ?? null,
});

const shownOf = ({ domain, kind, status, remark }: Pick<Selectable<DangerSiteTable>, 'domain' | 'kind' | 'status' | 'remark'>) => ({
  domain,
  kind,
  status,
  remark,
});

const readNames = async (ctx: Ctx, typed: string): Promise<Names> => {
  const names = namesOf(typed);
  const refusal = refuseOwn(names, await ownHosts(ctx.db, ctx.deps.config));
  if (refusal) throw failAt('domain', refusal);
  return names;
};

export const createDangerSite: Handler<typeof calls.create> = async (ctx, input) => {
  refuseLimited(ctx);
  const columns = columnsOf(input, await readNames(ctx, input.domain));
  const free = await lockList(ctx.db);
  if (columns.status === 1 && free < 1) throw failAt('status', fullText);
  const { id } = await ctx.db
    .insertInto('danger_site')
    .values({ ...columns, creator: ctx.me.name, create_at: ctx.now(), update_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`新增危险网站 ${columns.domain}`, `Created dangerous website ${columns.domain}`], { after: shownOf(columns) });
  return { id };
};

/** Each row is in the scope of each session that has the page. */
const lockSite = (ctx: Ctx, id: number) => lockRow(ctx, 'danger_site', id, sql<boolean>`true`);

export const updateDangerSite: Handler<typeof calls.update> = async (ctx, { id, version, ...input }) => {
  refuseLimited(ctx);
  const free = await lockList(ctx.db);
  const site = await lockSite(ctx, id);
  if (site.version !== version) throw fail('stale');
  const names = await readNames(ctx, input.domain);
  const columns = columnsOf({ ...input, status: input.status ?? site.status }, names);
  const before = shownOf(site);
  const after = shownOf(columns);
  if (JSON.stringify(before) === JSON.stringify(after)) throw fail('unchanged');
  if (columns.status === 1 && site.status === 0 && free < 1) throw failAt('status', fullText);
  await ctx.db
    .updateTable('danger_site')
    // The hits belong to the domain.
    .set({ ...columns, ...(names.ascii !== site.ascii && { hit_count: 0 }), update_at: ctx.now(), version: site.version + 1 })
    .where('id', '=', id)
    .execute();
  record(ctx, [`修改危险网站 ${site.domain}`, `Changed dangerous website ${site.domain}`], { before, after });
};

const removeSite = async (ctx: Ctx, id: number) => {
  const site = await lockSite(ctx, id);
  await ctx.db.deleteFrom('danger_site').where('id', '=', id).execute();
  record(ctx, [`删除危险网站 ${site.domain}`, `Deleted dangerous website ${site.domain}`], {
    before: { ...shownOf(site), hit_count: site.hit_count },
  });
};

export const removeDangerSite: Handler<typeof calls.remove> = async (ctx, { id }) => {
  refuseLimited(ctx);
  await lockList(ctx.db);
  await removeSite(ctx, id);
};

export const removeDangerSites: Handler<typeof calls.removeMany> = async (ctx, { ids }) => {
  refuseLimited(ctx);
  await lockList(ctx.db);
  const rows = await ctx.db.selectFrom('danger_site').select(['id', 'domain']).where('id', 'in', ids).execute();
  const names = new Map(rows.map(({ id, domain }) => [id, domain]));
  const named = (id: number) => {
    const name = names.get(id) ?? String(id);
    return { content: [`删除危险网站 ${name}`, `Delete dangerous website ${name}`] as const, missing: !names.has(id) };
  };
  return eachOf(ctx, ids, named, removeSite);
};

/** The nearest enabled entry blocks a host. A disabled one is named if no other blocks it. */
export const testDangerSite: Handler<typeof calls.test> = async (ctx, input) => {
  const { ascii, domain: host } = namesOf(input.domain);
  const entry = await ctx.db
    .selectFrom('danger_site')
    .select(['id', 'domain', 'kind', 'status'])
    .where('ascii', 'in', domainsOf(ascii))
    .orderBy('status', 'desc')
    .orderBy(sql`length(ascii)`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return { host, is_blocked: entry?.status === 1, entry: entry ?? null };
};
