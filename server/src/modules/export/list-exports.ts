import { exportCalls } from '@farlink/contract/export/export.ts';
import { pageOf } from '../../kit/page.ts';
import type { Handler } from '../../kit/serve.ts';

export const listExports: Handler<typeof exportCalls.list> = (ctx, input) => {
  const inEnglish = ctx.lang === 'en';
  const own = ctx.db
    .selectFrom('export_task')
    .select(['id', 'state', 'progress', 'row_count', 'file_name', 'file_size', 'create_at', 'finish_at'])
    .select(inEnglish ? 'title_en as title' : 'title_zh as title')
    .select(inEnglish ? 'message_en as message' : 'message_zh as message')
    .where('customer_id', '=', ctx.me.uid);
  return pageOf(ctx.db, exportCalls.list, input, own);
};
