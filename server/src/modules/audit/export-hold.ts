import { mayReveal } from '@farlink/contract/audit/audit-fields.ts';
import { auditHoldCalls as calls, holds } from '@farlink/contract/audit/audit-hold.ts';
import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { headOf } from '@farlink/contract/menu.ts';
import { mayCall, mayOpen } from '@farlink/contract/rights.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { completeSince } from '../../db/partitions.ts';
import { logAccess } from '../../domain/audit/access-log.ts';
import type { HeldCopy } from '../../domain/audit/held-proofs.ts';
import type { Hold } from '../../domain/audit/hold.ts';
import { type AuditKind, auditKinds, auditSpecs } from '../../domain/audit/kinds.ts';
import { proofZip } from '../../domain/audit/proof-zip.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import type { ExportBuilder, ExportBuilders } from '../../kit/export/export-job.ts';
import type { Print, Row } from '../../kit/export/export-rows.ts';
import { refuseEmpty, requestExport } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { views } from './page-views.ts';
import { refOf, refuseUnclear } from './proof-export.ts';
import { hashOf, skewS } from './search-conditions.ts';

/** The page that shows a kind. An operator without access to the page cannot export the kind. */
const pageOfKind: Readonly<Record<AuditKind, AuditPage>> = {
  auth: 'authAccount',
  identity: 'virtualIdentity',
  url: 'networkURL',
  forum: 'networkForum',
  mail: 'electronicMail',
  terminal: 'terminalAcquisition',
};

const coveredBy = ({ subject, agent_id, from_at, to_at }: Hold): RawBuilder<SqlBool> => {
  const ofSubject = subject === null ? sql`r.agent_id = ${agent_id}` : sql`r.subscriber_id = ${Number(subject.slice(2))}`;
  return sql<SqlBool>`(${ofSubject} and r.at >= ${from_at} and (${to_at}::bigint is null or r.at <= ${to_at}))`;
};

/** Rows of a kind under the hold: those of the table, and the copies of weeks before `since`, which were dropped. */
const rowsOfKind = (me: SessionInfo, hold: Hold, kind: AuditKind, since: number) => {
  const found = sql`${coveredBy(hold)} and ${inScope(me, 'r.agent_id', 'r.device_id')}`;
  return sql`
    select ${sql.lit(kind)}::text as kind, r.id, r.at as create_at, r.batch, r.n, r.stored_at, null::jsonb as content, null::jsonb as proof
    from ${sql.table(auditSpecs[kind].table)} r where r.stored_at >= ${hold.from_at - skewS} and ${found}
    union all
    select r.kind, r.id, r.at, r.batch, r.n, r.week, r.content, r.proof from audit_held_row r
    where r.kind = ${sql.lit(kind)} and r.week < ${since} and ${found}`;
};

const kindsOf = (me: SessionInfo) => auditKinds.filter((kind) => mayOpen(headOf(pageOfKind[kind]), me));

const rowsOf = async ({ pool }: Deps, me: SessionInfo, hold: Hold) => {
  const queries = await Promise.all(
    kindsOf(me).map(async (kind) => rowsOfKind(me, hold, kind, await completeSince(pool, [auditSpecs[kind].table]))),
  );
  return sql`(${sql.join(queries, sql` union all `)})`;
};

const findHold = async (db: Db, me: SessionInfo, id: number): Promise<Hold> => {
  const hold = await db
    .selectFrom('audit_hold')
    .select(['id', 'subject', 'agent_id', 'from_at', 'to_at', 'reason'])
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .where(inScope(me, 'audit_hold.agent_id'))
    .executeTakeFirst();
  if (!hold) throw fail('not_found');
  return hold;
};

export const exportHold: Handler<typeof calls.export> = async (ctx, { id, content, reason }) => {
  const { released_at, account, agent_id } = await lockRow(ctx, 'audit_hold', id, inScope(ctx.me, 'audit_hold.agent_id'));
  if (released_at !== null) throw fail('audit_hold_released');
  const isClear = content === 'clear';
  refuseUnclear(ctx.me, isClear);
  if (kindsOf(ctx.me).length === 0) throw fail('denied');
  const hold = await findHold(ctx.db, ctx.me, id);
  await refuseEmpty(ctx.db, await rowsOf(ctx.deps, ctx.me, hold));
  const of = account ?? `VNO ${agent_id}`;
  const requested = await requestExport(ctx, {
    call: calls.export,
    title: [`保全数据 ${of}`, `Legal hold ${of}`],
    format: 'zip',
    input: { hold: id, content: isClear ? 'clear' : 'masked', reason, ip: ctx.ip },
  });
  if (isClear) record(ctx, [`导出${of}的保全数据明文，原因：${reason}`, `Exported the legal hold of ${of} in clear: ${reason}`]);
  return requested;
};

const isKind = (value: unknown): value is AuditKind => auditKinds.some((kind) => kind === value);

/** Copies are written by `copyHeldRows` only. */
const isHeldCopy = (row: Row): row is Row & HeldCopy => row.proof !== null;

const printHold = (deps: Deps, reveal: boolean): Print =>
  async function* print(batches) {
    async function* rows() {
      for await (const batch of batches)
        yield batch.flatMap((row) =>
          isKind(row.kind) ? [{ ...refOf(row), kind: row.kind, held: isHeldCopy(row) ? row : undefined }] : [],
        );
    }
    yield* await proofZip(deps, { rows: rows(), reveal });
  };

/** The job runs with the current rights of its owner. The access is logged for each kind with its number of rows. */
const buildHold: ExportBuilder = async (deps, { me: owner }, { hold: id, content, reason, ip }) => {
  const me = await sessionInfoOf(deps.db, owner.uid, owner.acted_by);
  const isClear = content === 'clear';
  if (!mayCall(calls.export, me) || kindsOf(me).length === 0 || (isClear && !mayReveal(me))) throw fail('denied');
  const hold = await findHold(deps.db, me, Number(id));
  const query = await rowsOf(deps, me, hold);
  const { rows } = await sql<{ kind: AuditKind; n: number }>`select kind, count(*)::int as n from ${query} as t group by kind`.execute(
    deps.db,
  );
  for (const { kind, n } of rows) {
    const page = pageOfKind[kind];
    await logAccess(deps.db, {
      me,
      ip: String(ip),
      now: deps.clock.now(),
      page,
      action: isClear ? 'export_clear' : 'export',
      resource: views[page].resource,
      filters: {},
      filterHash: hashOf({ hold: Number(id) }, deps.config.secretKey),
      rows: n,
      reason: String(reason),
    });
  }
  return { query, resource: { ...holds, filters: [] }, print: printHold(deps, isClear) };
};

export const holdExports: ExportBuilders = { [operateKey(calls.export)]: buildHold };
