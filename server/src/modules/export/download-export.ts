import { endpoints } from '@farlink/contract/endpoints.ts';
import { type exportCalls, exportState } from '@farlink/contract/export/export.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { Handler } from '../../kit/http/serve.ts';

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
} as const;

export const downloadExport: Handler<typeof exportCalls.download> = async (ctx, { id }) => {
  const task = await ctx.db
    .selectFrom('export_task')
    .select(['call', 'state', 'format', 'file_key', 'file_name', 'file_size'])
    .where('id', '=', id)
    .where('customer_id', '=', ctx.me.uid)
    .executeTakeFirst();
  if (!task) throw fail('not_found');
  if (!exportState.can('download', task.state)) throw fail('export_not_ready');
  // The download needs the same right as the export request, at the time of the download.
  const requestCall = endpoints.find((e) => operateKey(e) === task.call);
  if (requestCall && !mayCall(requestCall, ctx.me)) throw fail('denied');
  if (!task.file_key) throw fail('not_found');
  const body = await openFileStore(ctx.deps.config).get(task.file_key);
  return new FileResponse({
    body,
    type: types[task.format],
    name: task.file_name ?? `${id}.${task.format}`,
    size: task.file_size ?? undefined,
  });
};
