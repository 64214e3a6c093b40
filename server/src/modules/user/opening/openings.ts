import { Readable } from 'node:stream';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { openingCalls as calls, type OpeningFault, type OpeningWay, openingWay } from '@farlink/contract/user/opening.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import { localTime } from '../../../kit/formats/cell.ts';
import { csv } from '../../../kit/formats/csv.ts';
import { xlsx } from '../../../kit/formats/xlsx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { cancelJob } from '../../../kit/jobs/job.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { record, writeLog } from '../../../kit/log/record.ts';
import { open } from '../../../kit/session/secret.ts';
import { wayName } from './begin-opening.ts';
import { type Report, tableOf } from './report.ts';

const ways = openingWay.map((w) => w.id);
const wayOf = (kind: string): OpeningWay => ways.find((way) => way === kind) ?? 'open_batch';

interface OpeningResult {
  readonly total: number;
  readonly success: number;
  readonly fail: number;
  readonly errors: readonly { readonly row: number; readonly account: string; readonly message: Text }[];
}

const number = (column: 'payload' | 'result', name: string) => sql<number>`(${sql.ref(`job.${column}`)} ->> ${name})::int`;

/** Operators see only their own openings. */
const own = (ctx: Ctx) =>
  ctx.db
    .selectFrom('job')
    .select([
      'job.id',
      'job.state',
      'job.progress',
      'job.create_at',
      'job.finish_at',
      sql<OpeningWay>`job.kind`.as('way'),
      sql<string | null>`case when job.state = 'failed' then job.error end`.as('message'),
      sql<number>`coalesce(${number('result', 'total')}, ${number('payload', 'total')}, 0)`.as('total'),
      sql<number>`coalesce(${number('result', 'success')}, 0)`.as('success'),
      sql<number>`coalesce(${number('result', 'fail')}, 0)`.as('fail'),
    ])
    .where('job.customer_id', '=', ctx.me.uid)
    .where('job.kind', 'in', ways);

export const listOpenings: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, own(ctx));

const translated = (errors: OpeningResult['errors'], lang: Lang): OpeningFault[] =>
  errors.map((e) => ({ ...e, message: say(e.message, lang) }));

export const readOpening: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await own(ctx)
    .select([
      sql<OpeningResult['errors'] | null>`job.result -> 'errors'`.as('errors'),
      sql<boolean>`coalesce(job.result ? 'list', false)`.as('report'),
      sql<string | null>`(select bill_no from ledger_entry where cause = replace(job.kind, 'open_', '') || ':' || job.id)`.as('bill_no'),
    ])
    .where('job.id', '=', id)
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const running = row.state === 'waiting' || row.state === 'running';
  return { ...row, errors: translated(row.errors ?? [], ctx.lang), job_id: running ? row.id : null };
};

export const cancelOpening: Handler<typeof calls.cancel> = async (ctx, { id }) => {
  const row = await own(ctx).where('job.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  if (!(await cancelJob(ctx.db, ctx.now(), id))) throw fail('wrong_state');
  const [zh, en] = wayName[row.way];
  record(ctx, [`取消${zh}任务 ${id}`, `Cancelled ${en.toLowerCase()} ${id}`]);
};

const types = { csv: 'text/csv; charset=utf-8', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' } as const;
const titles: Record<OpeningWay, Text> = {
  open_batch: ['批量开户失败清单', 'batch-opening-failures'],
  open_import: ['导入失败清单', 'import-failures'],
  open_temp: ['临时卡清单', 'temporary-cards'],
};
/** List of an opening. The list of new cards contains passwords, so it can be downloaded once, and the download is logged. */
const takeList = (ctx: Ctx, id: number) =>
  ctx.deps.db.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('job')
      .select(['kind', 'state', sql<string | null>`result ->> 'list'`.as('list')])
      .where('id', '=', id)
      .where('customer_id', '=', ctx.me.uid)
      .where('kind', 'in', ways)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw fail('not_found');
    if (row.state !== 'done') throw fail('export_not_ready');
    const way = wayOf(row.kind);
    if (way === 'open_temp' && ctx.me.permissions?.includes('user_temp') === false) throw fail('denied');
    if (row.list === null) throw fail(way === 'open_temp' ? 'list_taken' : 'export_empty');
    if (way === 'open_temp') {
      await sql`update job set result = result - 'list' where id = ${id}`.execute(db);
      const content: Text = [`下载临时卡密码清单 ${id}`, `Downloaded the passwords of temporary cards ${id}`];
      await writeLog(db, ctx.me, ctx, { module: 'user', action: 'export', content });
    }
    return { way, list: row.list };
  });

export const downloadReport: Handler<typeof calls.report> = async (ctx, { id, format }) => {
  const { way, list } = await takeList(ctx, id);
  const report: Report = JSON.parse(open(ctx.deps.config.secretKey, list));
  const { header, rows } = tableOf(report, ctx.lang, zoneMinutes);
  async function* batches() {
    for (let at = 0; at < rows.length; at += 500) yield rows.slice(at, at + 500);
  }
  const kind = format ?? 'xlsx';
  const stamp = localTime(ctx.now(), zoneMinutes).replace(/[-:]/g, '').replace(' ', '-');
  return new FileResponse({
    body: Readable.from(kind === 'csv' ? csv(header, batches()) : xlsx(header, batches())),
    type: types[kind],
    name: `${say(titles[way], ctx.lang)}-${stamp}.${kind}`,
  });
};
