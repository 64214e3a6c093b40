import { Readable } from 'node:stream';
import { dangerSiteCalls as calls, dangerImportFields as fields } from '@farlink/contract/advanced/danger-site.ts';
import { requiredText } from '@farlink/contract/kit/check.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import { isUpload } from '../../../kit/files/upload.ts';
import { localTime } from '../../../kit/formats/cell.ts';
import { csv } from '../../../kit/formats/csv.ts';
import { exampleMark, readRows, reasonLabel, templateHeader } from '../../../kit/formats/import-sheet.ts';
import { xlsx } from '../../../kit/formats/xlsx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { orderJob } from '../../../kit/jobs/job.ts';
import { record } from '../../../kit/log/record.ts';
import { refuseLimited } from './danger-site.ts';
import { type ImportPayload, type ImportResult, importKind, sayFault } from './import-job.ts';

/** Reads the file at once, so that a wrong file is refused at its field. The rows are imported by a job. */
export const importDangerSites: Handler<typeof calls.import> = async (ctx, input) => {
  refuseLimited(ctx);
  if (!isUpload(input.file)) throw failAt('file', requiredText(calls.import.input.file));
  const rows = await readRows(input.file, fields, limits.dangerImportRows);
  const payload: ImportPayload = {
    total: rows.length,
    ip: ctx.ip,
    user_agent: ctx.userAgent,
    rows: rows.map(({ line, cells }) => [line, cells] as const),
  };
  const id = await orderJob(ctx.db, ctx.now(), { kind: importKind, payload: { ...payload }, me: ctx.me, lang: ctx.lang });
  record(ctx, [`提交危险网站导入，共 ${rows.length} 行`, `Import of ${rows.length} dangerous websites submitted`], {
    after: { file: input.file.name, total: rows.length },
  });
  return { id };
};

/** Operators see only their own imports. */
const own = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('job').where('id', '=', id).where('kind', '=', importKind).where('customer_id', '=', ctx.me.uid);

const number = (name: string) => sql<number>`coalesce((job.result ->> ${name})::int, (job.payload ->> ${name})::int, 0)`;

export const readDangerImport: Handler<typeof calls.imported> = async (ctx, { id }) => {
  const row = await own(ctx, id)
    .select([
      'id',
      'state',
      'progress',
      sql<string | null>`case when job.state = 'failed' then job.error end`.as('message'),
      number('total').as('total'),
      number('success').as('success'),
      number('fail').as('fail'),
      sql<ImportResult['faults'] | null>`jsonb_path_query_array(job.result, ${`$.faults[0 to ${limits.namedFaults - 1}]`}::jsonpath)`.as(
        'faults',
      ),
    ])
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const { faults, ...rest } = row;
  return { ...rest, errors: (faults ?? []).map((fault) => sayFault(fault, ctx.lang)) };
};

const types = { csv: 'text/csv; charset=utf-8', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' } as const;

async function* inBatches(rows: readonly (readonly string[])[]) {
  for (let at = 0; at < rows.length; at += 500) yield rows.slice(at, at + 500).map((row) => [...row]);
}

/** The rows that were not imported, with the columns of the template, so they can be corrected and imported again. */
export const downloadDangerReport: Handler<typeof calls.report> = async (ctx, { id, format }) => {
  const row = await own(ctx, id)
    .select(['state', sql<ImportResult['faults'] | null>`job.result -> 'faults'`.as('faults')])
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  if (row.state !== 'done') throw fail('export_not_ready');
  if (!row.faults || row.faults.length === 0) throw fail('export_empty');
  const header = [...Object.values(fields).map(({ label }) => say(label, ctx.lang)), say(reasonLabel, ctx.lang)];
  const rows = row.faults.map(([, cells, message]) => [...cells, say(message, ctx.lang)]);
  const kind = format ?? 'xlsx';
  const stamp = localTime(ctx.now(), zoneMinutes).replace(/[-:]/g, '').replace(' ', '-');
  return new FileResponse({
    body: Readable.from(kind === 'csv' ? csv(header, inBatches(rows)) : xlsx(header, inBatches(rows))),
    type: types[kind],
    name: `${say(['危险网站导入失败', 'danger-site-failures'], ctx.lang)}-${stamp}.${kind}`,
  });
};

const notes: Text = [
  '带*的列必填；类别留空为其他；状态留空为启用；重复的网址不导入',
  'Columns with * are required. Empty kind: Other; empty status: Enabled. Duplicates are not imported.',
];

export const dangerTemplate: Handler<typeof calls.template> = async ({ lang }) => {
  const [kind] = fields.kind.options ?? [];
  const example = ['casino.example.com', kind ? say(kind.label, lang) : '', say(['启用', 'Enabled'], lang), ''];
  return new FileResponse({
    body: Readable.from(xlsx(templateHeader(fields, lang), inBatches([[...example, `${say(exampleMark, lang)}${say(notes, lang)}`]]))),
    type: types.xlsx,
    name: lang === 'en' ? 'danger-site-template.xlsx' : '危险网站导入模板.xlsx',
  });
};
