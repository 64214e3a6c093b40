import type { Endpoint, Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { filterSql } from '../../kit/list/conditions.ts';
import { type ListInput, withSums } from '../../kit/list/listing.ts';
import { pageOf } from '../../kit/list/page.ts';

/** One page, with the sums of all filtered rows. For lists with few rows; bills have sums of months. */
export const listWithSums = async <DB, TB extends keyof DB, Row>(
  ctx: Ctx,
  call: Endpoint & { readonly resource: Resource },
  input: ListInput,
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<Listing<Row>> => {
  const { resource } = call;
  const sum = async () => {
    const columns = (resource.sums ?? []).map(
      (name) => sql`coalesce(sum(${sql.ref(`t.${name}`)}), 0)::numeric(18, 2)::text as ${sql.ref(name)}`,
    );
    const { rows } = await sql<Record<string, string>>`
      select ${sql.join(columns)} from ${query} as t where ${filterSql(resource, input.filters)}`.execute(ctx.db);
    return rows[0] ?? {};
  };
  return withSums(input, () => pageOf(ctx.db, call, input, query), sum);
};
