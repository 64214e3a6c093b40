import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { dockerExportCalls as calls } from '@farlink/contract/log/docker-export-log.ts';
import { dockerCalls, dockerInfo } from '@farlink/contract/log/docker-log.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import { exportLog, removeExport, removeExports, retryExport, withConditions } from '../../kit/export/export-log.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';

const keys = [operateKey(dockerCalls.export)];

export const listDockerExports: Handler<typeof calls.list> = async (ctx, input) =>
  withConditions(ctx, dockerInfo, await pageOf(ctx.db, calls.list, input, exportLog(ctx, keys)));

export const retryDockerExport: Handler<typeof calls.retry> = (ctx, { id, format }) => retryExport(ctx, keys, id, sessionInfoOf, format);

export const removeDockerExport: Handler<typeof calls.remove> = (ctx, { id }) => removeExport(ctx, keys, id);

export const removeDockerExports: Handler<typeof calls.removeMany> = (ctx, { ids }) => removeExports(ctx, keys, ids);
