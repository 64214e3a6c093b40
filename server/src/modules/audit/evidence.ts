import { auditEvidenceCalls as calls } from '@farlink/contract/audit/audit-evidence.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { evidenceStatus } from '../../domain/audit/evidence-status.ts';
import { findingText } from '../../domain/audit/findings.ts';
import { recordFork as fork } from '../../domain/audit/fork.ts';
import { dbQuery } from '../../domain/audit/transaction.ts';
import { startManual } from '../../domain/audit/verify-job.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { record } from '../../kit/log/record.ts';

/** Findings of one run that are shown. All of its kinds come first. */
const maxShown = 200;

export const readEvidence: Handler<typeof calls.status> = (ctx) => evidenceStatus(ctx.db, ctx.deps.config, ctx.now());

export const listVerifications: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('audit_verification')
      .select([
        'id',
        'create_at',
        'cause',
        'from_at',
        'to_at',
        'state',
        'progress',
        'row_count',
        'batch_count',
        'finding_count',
        'operator',
        'finish_at',
      ]),
  );

export const listFindings: Handler<typeof calls.findings> = async (ctx, { verification_id }) => {
  const rows = await ctx.db
    .selectFrom('audit_finding')
    .selectAll()
    .where('verification_id', '=', verification_id)
    .orderBy('id')
    .limit(maxShown)
    .execute();
  return rows.map((row) => ({ type: row.type, text: findingText(row) }));
};

export const startVerification: Handler<typeof calls.verify> = async (ctx, { from_at, to_at }) => {
  const id = await startManual(ctx.db, ctx.now(), { from_at, to_at, operator: ctx.me.name });
  const period = `${zonedTime(from_at)} - ${zonedTime(to_at)}`;
  record(ctx, [`核验审计数据 ${period}`, `Started verification of audit data ${period}`], { subject: `audit_verification:${id}` });
  return { id };
};

export const recordFork: Handler<typeof calls.fork> = async (ctx, { reason }) => {
  const { size, checkpoint } = await fork(dbQuery(ctx.db), ctx.deps.config.secretKey, reason, ctx.now());
  record(ctx, [`记录审计日志分叉，原因：${reason}`, `Recorded a fork of the audit log: ${reason}`], { after: { size, checkpoint } });
};
