import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { billExportCalls, billExportKeys, billExportKind, billExportLogCalls as calls } from '@farlink/contract/log/bill-export-log.ts';
import { sql } from 'kysely';
import { exportLog, filterTexts } from '../../kit/export/export-log.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';

type Kind = (typeof billExportKind)[number]['id'];

const kindOf = sql<Kind>`case export_task.call ${sql.join(
  billExportKind.map(({ id }) => sql`when ${operateKey(billExportCalls[id])} then ${id}::text`),
  sql` `,
)} end`;

const resourceOf = (kind: Kind): Resource => billExportCalls[kind].resource;

export const listBillExports: Handler<typeof calls.list> = async (ctx, input) => {
  const listing = await pageOf(ctx.db, calls.list, input, exportLog(ctx, billExportKeys).select(kindOf.as('kind')));
  return {
    ...listing,
    list: listing.list.map(({ payload, ...row }) => ({
      ...row,
      condition: filterTexts(resourceOf(row.kind), payload.input.filters, ctx.lang, payload.offset_minutes),
    })),
  };
};
