import { type auditAuthCalls, authAccount, terminalAcquisition } from '@farlink/contract/audit/auth-account.ts';
import type { auditMailCalls } from '@farlink/contract/audit/electronic-mail.ts';
import type { auditForumCalls } from '@farlink/contract/audit/network-forum.ts';
import { auditUrlCalls } from '@farlink/contract/audit/network-url.ts';
import type { auditIdentityCalls } from '@farlink/contract/audit/virtual-identity.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import type { RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { logAccess, requireReason } from '../../domain/audit/access-log.ts';
import { rowOpener } from '../../domain/audit/open-rows.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import type { ListInput } from '../../kit/list/listing.ts';
import { pageOf } from '../../kit/list/page.ts';
import { type DisplayOptions, showAuth, showForum, showIdentity, showMail, showUrl } from './displayed-row.ts';
import { type View, views } from './page-views.ts';
import { type Names, type RowWithoutNames, withNames } from './row-names.ts';
import { conditionsOf, hashOf, storedSearch } from './search-conditions.ts';

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

type RowsOf<DB, TB extends keyof DB, Row> = (db: Db, me: SessionInfo, where: RawBuilder<SqlBool>) => SelectQueryBuilder<DB, TB, Row>;

/** One page of rows. A reason is required, and each access is logged. */
const listRows = async <DB, TB extends keyof DB, Row extends RowWithoutNames, Shown>(
  ctx: Ctx,
  input: ListInput,
  view: View & { readonly rows: RowsOf<DB, TB, Row> },
  show: (row: Row & Names, display: DisplayOptions) => Shown,
): Promise<Listing<Shown>> => {
  const reason = await requireReason(ctx, view.page);
  const { secretKey } = ctx.deps.config;
  const stored = storedSearch(view.search, input.filters, secretKey, ctx.now());
  const { where, rest } = conditionsOf(view.search, stored, secretKey);
  const call = { ...auditUrlCalls.list, resource: withKey(view) };
  const page = { ...input, orderby: orderOf(input.orderby), filters: rest };
  const listing = await pageOf(ctx.db, call, page, view.rows(ctx.db, ctx.me, where));
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
  const display = { open: rowOpener(secretKey), isClear: false, lang: ctx.lang };
  const rows = await withNames(ctx.db, ctx.me, listing.list);
  return { ...listing, list: rows.map((row) => show(row, display)) };
};

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
  return isTerminal
    ? listRows(ctx, input, views.terminalAcquisition, ({ wrapped, ...row }) => ({ ...noAuth, ...row }))
    : listRows(ctx, input, views.authAccount, (row, display) => ({ ...noTerminal, ...showAuth(row, display) }));
};

export const listIdentities: Handler<typeof auditIdentityCalls.list> = (ctx, input) =>
  listRows(ctx, input, views.virtualIdentity, showIdentity);

export const listUrls: Handler<typeof auditUrlCalls.list> = (ctx, input) => listRows(ctx, input, views.networkURL, showUrl);

export const listForums: Handler<typeof auditForumCalls.list> = (ctx, input) => listRows(ctx, input, views.networkForum, showForum);

export const listMails: Handler<typeof auditMailCalls.list> = (ctx, input) => listRows(ctx, input, views.electronicMail, showMail);
