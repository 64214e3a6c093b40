import { collectionCalls as calls, collection } from '@farlink/contract/finance/collection.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilders, JobOwner } from '../../kit/export/export-job.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName, vnoOfAccount } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';
import { listWithSums } from './list-with-sums.ts';

const collections = (db: Db, reader: JobOwner) =>
  db
    .selectFrom('collection_day')
    .leftJoin('agent', 'agent.id', 'collection_day.agent_id')
    .select([
      'collection_day.id',
      'collection_day.day',
      operatorName(reader, 'collection_day.operator', vnoOfAccount('collection_day.customer_id')).as('operator'),
      'collection_day.pay_method',
      'collection_day.bills',
      'collection_day.income',
      'collection_day.expend',
      'collection_day.net_income',
      'collection_day.agent_id as vno_id',
      'agent.name as agent_name',
    ])
    .where(inScope(reader.me, 'collection_day.agent_id'));

export const listCollections: Handler<typeof calls.list> = (ctx, input) => listWithSums(ctx, calls.list, input, collections(ctx.db, ctx));

export const exportCollections: Handler<typeof calls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.export,
    title: ['收款日报', 'daily report of collections'],
    format: input.format,
    input,
    query: collections(ctx.db, ctx),
  });

export const collectionExports: ExportBuilders = {
  [operateKey(calls.export)]: (deps, reader) => ({ query: collections(deps.db, reader), resource: collection }),
};
