import { sql } from 'kysely';
import { inTemplateScope } from '../../../domain/config/template-scope.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import { hasDeviceInScope } from '../../../kit/list/device-scope.ts';
import { operatorName } from '../../../kit/list/operator-name.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { nameObject } from '../../../kit/log/record.ts';

/** Upper limit of counts in the list. */
const countLimit = 10_000;

/** Selects each column and filter of the list under its name. */
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
      operatorName(ctx, 't.operator').as('operator'),
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
    .where(hasDeviceInScope(ctx.me, sql`select d.id from device d where ${inTemplateScope('d')}`));

/** Locks the template until the transaction ends. */
export const lockTemplate = async (ctx: Ctx, id: number) => {
  const row = await ctx.db
    .selectFrom('config_template as t')
    .selectAll()
    .where('t.id', '=', id)
    .where(inScope(ctx.me, 't.agent_id'))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.name);
  return row;
};

/** Template parts as stored, with secrets sealed. */
export const templatePartsOf = async (ctx: Ctx, id: number) => {
  const rows = await ctx.db.selectFrom('config_template_part').selectAll().where('template_id', '=', id).orderBy('section').execute();
  return new Map(rows.map(({ section, part }) => [section, part]));
};
