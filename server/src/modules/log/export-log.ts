import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { logCalls as calls, operatorLog } from '@farlink/contract/log/operator-log.ts';
import type { ExportBuilders } from '../../kit/export/export-job.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { ownLog } from './operator-log.ts';

export const exportLog: Handler<typeof calls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.export,
    title: ['操作日志', 'the operator log'],
    format: input.format,
    input,
    query: ownLog(ctx.db, ctx, {}),
  });

export const logExports: ExportBuilders = {
  [operateKey(calls.export)]: (deps, owner, { filters }) => ({ query: ownLog(deps.db, owner, filters), resource: operatorLog }),
};
