import { exportCalls as calls, exportCalls } from '@farlink/contract/export/export.ts';
import { ownExports } from '../../kit/export/export-task.ts';
import { bind, type Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { downloadExport } from './download-export.ts';
import { removeExport } from './remove-export.ts';

const listExports: Handler<typeof exportCalls.list> = (ctx, input) => pageOf(ctx.db, exportCalls.list, input, ownExports(ctx));

export const exportBindings = [bind(calls.list, listExports), bind(calls.download, downloadExport), bind(calls.remove, removeExport)];
