import { Readable } from 'node:stream';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { user } from '@farlink/contract/user/user-resource.ts';
import type { ExportBuilders } from '../../kit/export/export-job.ts';
import { ownExports, requestExport } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { type Cell, fileCellOf, headText, localTime } from '../../kit/formats/cell.ts';
import { csv } from '../../kit/formats/csv.ts';
import { xlsx } from '../../kit/formats/xlsx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { writeLog } from '../../kit/log/record.ts';
import { markFilters, narrow, narrowing, shown, shownValues, userQuery, userRows } from './user-query.ts';

const title: Text = ['用户', 'users'];
const types = { csv: 'text/csv; charset=utf-8', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' } as const;

const columns = user.columns.map((name) => ({ name, field: user.fields[name] }));

export const exportSelected: Handler<typeof calls.exportSelected> = async (ctx, { ids, format }) => {
  const rows = await userQuery(userRows(ctx.db, ctx), ctx).where('subscriber.id', 'in', ids).orderBy('subscriber.id').execute();
  if (rows.length === 0) throw fail('export_empty');
  const cells: Cell[][] = rows
    .map((row) => shown(ctx.deps.config.secretKey, row))
    .map((row) => columns.map(({ name, field }) => fileCellOf(field, row[name], ctx.lang, zoneMinutes)));
  const header = columns.map(({ field }) => headText(field, ctx.lang));
  async function* batches() {
    yield cells;
  }
  const kind = format ?? 'csv';
  const content: Text = [`导出所选用户 ${rows.length} 个`, `Exported ${rows.length} selected users`];
  await writeLog(ctx.db, ctx.me, ctx, { module: 'user', action: 'export', content, after: { format: kind, count: rows.length } });
  const stamp = localTime(ctx.now(), zoneMinutes).replace(/[-:]/g, '').replace(' ', '-');
  return new FileResponse({
    body: Readable.from(kind === 'csv' ? csv(header, batches()) : xlsx(header, batches())),
    type: types[kind],
    name: `${say(title, ctx.lang)}-${stamp}.${kind}`,
  });
};

const filtersOf = (input: object): Values =>
  'filters' in input && typeof input.filters === 'object' && input.filters !== null ? { ...input.filters } : {};

export const exportUsers: Handler<typeof calls.exportAll> = async (ctx, input) => {
  // The stored request and the operator log contain no readable ID number.
  const marked = markFilters(ctx.deps.config.secretKey, filtersOf(input));
  const { rows, filters } = narrow(userRows(ctx.db, ctx), marked, ctx);
  const { total } = await pageOf(ctx.db, calls.list, { page: 1, limit: 1, filters }, userQuery(rows, ctx), rows);
  if (total === 0) throw fail('export_empty');
  return requestExport(ctx, { call: calls.exportAll, title, format: input.format, input: { ...input, filters: marked } });
};

export const listUserExports: Handler<typeof calls.exports> = (ctx, input) =>
  pageOf(ctx.db, calls.exports, input, ownExports(ctx, calls.exportAll));

export const userExports: ExportBuilders = {
  [operateKey(calls.exportAll)]: (deps, reader, input) => {
    const { rows } = narrow(userRows(deps.db, reader), input.filters, reader);
    // Filters that the query already applies are not column filters.
    const filters = user.filters.filter((name) => !narrowing.includes(name));
    return {
      query: userQuery(rows, reader),
      resource: { ...user, filters },
      values: shownValues(deps.config.secretKey),
    };
  },
};
