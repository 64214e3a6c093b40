import { exportCalls } from '@farlink/contract/export/export.ts';
import { ownExports } from '../../kit/export-task.ts';
import { pageOf } from '../../kit/page.ts';
import type { Handler } from '../../kit/serve.ts';

export const listExports: Handler<typeof exportCalls.list> = (ctx, input) => pageOf(ctx.db, exportCalls.list, input, ownExports(ctx));
