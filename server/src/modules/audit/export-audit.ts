import { mayReveal } from '@farlink/contract/audit/audit-fields.ts';
import { auditAuthCalls } from '@farlink/contract/audit/auth-account.ts';
import { type AuditPage, auditPage } from '@farlink/contract/audit/choices.ts';
import { auditMailCalls } from '@farlink/contract/audit/electronic-mail.ts';
import { auditForumCalls } from '@farlink/contract/audit/network-forum.ts';
import { auditUrlCalls } from '@farlink/contract/audit/network-url.ts';
import { auditTerminalCalls } from '@farlink/contract/audit/terminal-acquisition.ts';
import { auditIdentityCalls } from '@farlink/contract/audit/virtual-identity.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { headOf } from '@farlink/contract/menu.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { sql } from 'kysely';
import type { ExportFormat, SessionInfo } from '../../db/column-types.ts';
import { logAccess, requireReason } from '../../domain/audit/access-log.ts';
import { rowOpener } from '../../domain/audit/open-rows.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilder, ExportBuilders } from '../../kit/export/export-job.ts';
import { refuseEmpty, requestExport } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import { filterSql } from '../../kit/list/conditions.ts';
import { record } from '../../kit/log/record.ts';
import { titleOf } from './access-log.ts';
import { holdExports } from './export-hold.ts';
import { readerOf } from './export-row.ts';
import { views } from './page-views.ts';
import { kinds, proofsOf, refuseUnclear, withProofPositions } from './proof-export.ts';
import { joinedNames } from './row-names.ts';
import { conditionsOf, hashOf, isStoredSearch, type StoredSearch, storedSearch } from './search-conditions.ts';

const calls = {
  authAccount: auditAuthCalls.export,
  virtualIdentity: auditIdentityCalls.export,
  networkURL: auditUrlCalls.export,
  networkForum: auditForumCalls.export,
  electronicMail: auditMailCalls.export,
  terminalAcquisition: auditTerminalCalls.export,
} as const satisfies Record<AuditPage, unknown>;

interface Request {
  readonly format?: ExportFormat | null | undefined;
  readonly content?: 'masked' | 'clear' | null | undefined;
}

interface Reader {
  readonly db: Db;
  readonly me: SessionInfo;
  readonly secretKey: Buffer;
}

const foundRows = ({ db, me, secretKey }: Reader, page: AuditPage, stored: StoredSearch) => {
  const { rows, search, resource } = views[page];
  const { where, rest } = conditionsOf(search, stored, secretKey);
  return sql`(select * from ${rows(db, me, where)} as t where ${filterSql(resource, rest)})`;
};

/** The filters are fixed by the request. They are stored without values that are sealed in the data. */
export const exportAudit = (page: AuditPage) => async (ctx: Ctx, input: Request) => {
  const reason = await requireReason(ctx, page);
  const isClear = input.content === 'clear';
  refuseUnclear(ctx.me, isClear);
  const { secretKey } = ctx.deps.config;
  const raw: Values = { ...input };
  const filters = isRecord(raw.filters) ? raw.filters : {};
  const stored = storedSearch(views[page].search, filters, secretKey, ctx.now());
  await refuseEmpty(ctx.db, foundRows({ db: ctx.db, me: ctx.me, secretKey }, page, stored));
  const title = titleOf(page);
  const audit = { search: stored, hash: hashOf(filters, secretKey), reason, ip: ctx.ip };
  const requested = await requestExport(ctx, {
    call: calls[page],
    title,
    format: input.format,
    input: { content: isClear ? 'clear' : 'masked', format: input.format ?? 'csv', orderby: raw.orderby, filters: stored.filters, audit },
  });
  if (isClear) record(ctx, [`导出${title[0]}明文，原因：${reason}`, `Exported ${title[1]} in clear: ${reason}`]);
  return requested;
};

/** The job runs with the current rights of its owner. The access is logged with its number of rows. */
const builderOf =
  (page: AuditPage): ExportBuilder =>
  async (deps, { me: owner, lang }, { content, audit, format }) => {
    if (!isRecord(audit) || !isStoredSearch(audit.search)) throw new Error('export of audit data without its search');
    const isClear = content === 'clear';
    const me = await sessionInfoOf(deps.db, owner.uid, owner.acted_by);
    if (!mayOpen(headOf(page), me) || (isClear && !mayReveal(me))) throw fail('denied');
    const { secretKey } = deps.config;
    const { search, resource } = views[page];
    const found = foundRows({ db: deps.db, me, secretKey }, page, audit.search);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${found} as c`.execute(deps.db);
    await logAccess(deps.db, {
      me,
      ip: String(audit.ip),
      now: deps.clock.now(),
      page,
      action: isClear ? 'export_clear' : 'export',
      resource,
      filters: audit.search.filters,
      filterHash: String(audit.hash),
      rows: rows[0]?.n ?? 0,
      reason: String(audit.reason),
    });
    // The query has applied the filters.
    const unfiltered = { ...resource, filters: [] };
    const kind = kinds[page];
    if (format === 'zip' && kind) {
      const start = Number(audit.search.filters[`${search.time}_start`]);
      return { query: withProofPositions(found, kind, start), resource: unfiltered, print: proofsOf(deps, kind, isClear) };
    }
    return {
      query: joinedNames(me, found, 'blind' in search),
      resource: unfiltered,
      read: readerOf(page, { open: rowOpener(secretKey), isClear, lang }),
    };
  };

export const auditExports: ExportBuilders = {
  ...Object.fromEntries(auditPage.map(({ id }) => [operateKey(calls[id]), builderOf(id)])),
  ...holdExports,
};
