import { sql } from 'kysely';
import { inTemplateScope } from '../../../domain/config/template-scope.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import { reachesOne } from '../../../kit/list/device-reach.ts';
import { inScope } from '../../../kit/list/scope.ts';

/** What a list shows is enough of what a place has. */
const countLimit = 10_000;

/** Every column and filter of the list under its name. */
export const templateQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('config_template as t')
    .innerJoin('agent as a', 'a.id', 't.agent_id')
    .leftJoin('device_group as g', 'g.id', 't.device_group_id')
    .select([
      't.id',
      't.version',
      't.name',
      't.level',
      't.enabled',
      't.rank',
      't.remark',
      't.pages',
      't.operator',
      't.create_at',
      't.update_at',
      't.device_group_id',
      't.agent_id as vno_id',
      sql<string>`coalesce(g.name, a.name)`.as('place'),
      sql<number>`(select count(*) from (select from device d where ${inTemplateScope('d')} and ${inScope(ctx.me, 'd.agent_id', 'd.id')} limit ${countLimit}) n)`.as(
        'device_count',
      ),
    ])
    .where(inScope(ctx.me, 't.agent_id'))
    .where(reachesOne(ctx.me, sql`select d.id from device d where ${inTemplateScope('d')}`));

/** One template, locked until the change is done. */
export const lockTemplate = async (ctx: Ctx, id: number) => {
  const row = await ctx.db
    .selectFrom('config_template as t')
    .selectAll()
    .where('t.id', '=', id)
    .where(inScope(ctx.me, 't.agent_id'))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  refuseLimited(ctx);
  return row;
};

/** Whoever manages single devices alone does not decide what others inherit. */
export const refuseLimited = ({ me }: Ctx) => {
  if (me.rights.device_ids !== null) throw fail('denied');
};

/** As its parts are stored. */
export const templatePartsOf = async (ctx: Ctx, id: number) => {
  const rows = await ctx.db.selectFrom('config_template_part').selectAll().where('template_id', '=', id).orderBy('section').execute();
  return new Map(rows.map(({ section, part }) => [section, part]));
};
