import { type auditAuthCalls, authAccount, terminalAcquisition } from '@farlink/contract/audit/auth-account.ts';
import type { auditMailCalls } from '@farlink/contract/audit/electronic-mail.ts';
import type { auditForumCalls } from '@farlink/contract/audit/network-forum.ts';
import { auditUrlCalls } from '@farlink/contract/audit/network-url.ts';
import type { auditIdentityCalls } from '@farlink/contract/audit/virtual-identity.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import type { RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import { logAccess, requireReason } from '../../domain/audit/access-log.ts';
import { rowOpener } from '../../domain/audit/open-rows.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { type DisplayOptions, showAuth, showForum, showIdentity, showMail, showUrl } from './displayed-row.ts';
import { terminalQuery } from './joined-rows.ts';
import { authRowsOf, forumRowsOf, identityRowsOf, mailRowsOf, urlRowsOf, withNames } from './page-rows.ts';
import { type View, views } from './page-views.ts';
import { conditionsOf, hashOf, storedSearch } from './search-conditions.ts';

interface Input {
  readonly page: number;
  readonly limit: number;
  readonly orderby?: string | undefined;
  readonly count?: 'exact' | undefined;
  readonly filters: Values;
}

/** The order by account uses the index on its lower case. */
const orderOf = (orderby: string | undefined) => orderby?.replace(/^account /, 'account_key ');
const withKey = ({ resource, search }: View): Resource => {
  const { account } = resource.fields;
  const own = { ...search.plain, ...search.blind };
  return {
    ...resource,
    fields: { ...resource.fields, ...(account && { account_key: account }) },
    columns: [...resource.columns, 'account_key'],
    filters: resource.filters.filter((name) => !(name in own)),
  };
};

/** One page of rows. A reason is required, and each access is logged. */
const listLogged = async <DB, TB extends keyof DB, Row>(
  ctx: Ctx,
  input: Input,
  view: View,
  queryOf: (where: RawBuilder<SqlBool>) => SelectQueryBuilder<DB, TB, Row>,
): Promise<Listing<Row>> => {
  const reason = await requireReason(ctx, view.page);
  const { secretKey } = ctx.deps.config;
  const stored = storedSearch(view.search, input.filters, secretKey, ctx.now());
  const { where, rest } = conditionsOf(view.search, stored, secretKey);
  const call = { ...auditUrlCalls.list, resource: withKey(view) };
  const listing = await pageOf(ctx.db, call, { ...input, orderby: orderOf(input.orderby), filters: rest }, queryOf(where));
  // Written to the primary: the rows may come from a replica.
  await logAccess(ctx.deps.db, {
    me: ctx.me,
    ip: ctx.ip,
    now: ctx.now(),
    page: view.page,
    action: 'list',
    resource: view.resource,
    filters: stored.filters,
    filterHash: hashOf(input.filters, secretKey),
    rows: listing.list.length,
    reason,
  });
  await ctx.deps.replica?.noteWrite(ctx.sessionId);
  return listing;
};

/** Names are read only for the rows of the page. */
const listLoggedWithNames = async <DB, TB extends keyof DB, Row extends { readonly device_id: number; readonly vno_id: number }>(
  ctx: Ctx,
  input: Input,
  view: View,
  queryOf: (where: RawBuilder<SqlBool>) => SelectQueryBuilder<DB, TB, Row>,
): Promise<Listing<Row>> => {
  const listing = await listLogged(ctx, input, view, queryOf);
  return { ...listing, list: await withNames(ctx.db, ctx.me, listing.list) };
};

const masked = (ctx: Ctx): DisplayOptions => ({ open: rowOpener(ctx.deps.config.secretKey), isClear: false, lang: ctx.lang });
const mapped = <A, B>(listing: Listing<A>, show: (row: A) => B): Listing<B> => ({ ...listing, list: listing.list.map(show) });

/** Columns of the other view. */
const noTerminal = { brand: null, terminal_os: null, ssid: null, signal: null, first_at: null, last_at: null };
const noAuth = {
  name: null,
  phone: null,
  id_number: null,
  auth_action: null,
  login_at: null,
  logout_at: null,
  public_ip: null,
  port_range: null,
};

/** The call serves two pages. Each view needs the right of its page, so the right to see terminals shows no identity. */
export const listAuth: Handler<typeof auditAuthCalls.list> = async (ctx, { view, ...input }) => {
  const isTerminal = view === 'terminal';
  if (!mayOpen(isTerminal ? terminalAcquisition : authAccount, ctx.me)) throw fail('denied');
  if (isTerminal) {
    const rows = await listLogged(ctx, input, views.terminalAcquisition, (where) => terminalQuery(ctx.db, ctx.me, where));
    return mapped(rows, (row) => ({ ...noAuth, ...row }));
  }
  const display = masked(ctx);
  const rows = await listLoggedWithNames(ctx, input, views.authAccount, (where) => authRowsOf(ctx.db, ctx.me, where));
  return mapped(rows, (row) => ({ ...noTerminal, ...showAuth(row, display) }));
};

export const listIdentities: Handler<typeof auditIdentityCalls.list> = async (ctx, input) => {
  const rows = await listLoggedWithNames(ctx, input, views.virtualIdentity, (where) => identityRowsOf(ctx.db, ctx.me, where));
  const display = masked(ctx);
  return mapped(rows, (row) => showIdentity(row, display));
};

export const listUrls: Handler<typeof auditUrlCalls.list> = async (ctx, input) =>
  mapped(await listLoggedWithNames(ctx, input, views.networkURL, (where) => urlRowsOf(ctx.db, ctx.me, where)), showUrl);

export const listForums: Handler<typeof auditForumCalls.list> = async (ctx, input) => {
  const rows = await listLoggedWithNames(ctx, input, views.networkForum, (where) => forumRowsOf(ctx.db, ctx.me, where));
  const display = masked(ctx);
  return mapped(rows, (row) => showForum(row, display));
};

export const listMails: Handler<typeof auditMailCalls.list> = async (ctx, input) => {
  const rows = await listLoggedWithNames(ctx, input, views.electronicMail, (where) => mailRowsOf(ctx.db, ctx.me, where));
  const display = masked(ctx);
  return mapped(rows, (row) => showMail(row, display));
};
