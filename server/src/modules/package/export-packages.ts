import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { extraCalls, extraResource } from '@farlink/contract/package/extra-package.ts';
import { netResource, packageCalls } from '@farlink/contract/package/package.ts';
import type { ExportBuilders } from '../../kit/export/export-job.ts';
import { ownExports, requestFilled } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { extraQuery, packageQuery } from './package-query.ts';

export const exportPackages: Handler<typeof packageCalls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: packageCalls.export,
    title: ['上网套餐', 'online packages'],
    format: input.format,
    input,
    query: packageQuery(ctx.db, ctx, 'online'),
  });
export const exportExtras: Handler<typeof extraCalls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: extraCalls.export,
    title: ['加油包', 'extra packages'],
    format: input.format,
    input,
    query: extraQuery(ctx.db, ctx),
  });

export const listPackageExports: Handler<typeof packageCalls.exports> = (ctx, input) =>
  pageOf(ctx.db, packageCalls.exports, input, ownExports(ctx, packageCalls.export));
export const listExtraExports: Handler<typeof extraCalls.exports> = (ctx, input) =>
  pageOf(ctx.db, extraCalls.exports, input, ownExports(ctx, extraCalls.export));

export const packageExports: ExportBuilders = {
  [operateKey(packageCalls.export)]: (deps, reader) => ({ query: packageQuery(deps.db, reader, 'online'), resource: netResource }),
  [operateKey(extraCalls.export)]: (deps, reader) => ({ query: extraQuery(deps.db, reader), resource: extraResource }),
};
