import { exportCalls } from '@farlink/contract/export/export.ts';
import { ownExports } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';

export const listExports: Handler<typeof exportCalls.list> = (ctx, input) => pageOf(ctx.db, exportCalls.list, input, ownExports(ctx));
