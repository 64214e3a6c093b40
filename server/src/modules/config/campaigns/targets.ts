import type { Text } from '@farlink/contract/kit/text.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { inTemplateScope } from '../../../domain/config/template-scope.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { failAt } from '../../../kit/fail.ts';
import { groupScope } from '../../../kit/list/device-scope.ts';
import { inScope } from '../../../kit/list/scope.ts';

/** Selection of the devices of a campaign. */
export interface Range {
  readonly target: 'place' | 'vno' | 'group' | 'devices';
  readonly vno_id?: number | null | undefined;
  readonly device_group_id?: number | null | undefined;
  readonly device_ids?: readonly number[] | null | undefined;
  /** Only devices in the scope of this template. */
  readonly template_id?: number;
  /** Device to exclude. */
  readonly but?: number | undefined;
}

const texts = {
  vno: ['请选择有效的VNO', 'Please select a valid VNO'],
  group: ['请选择有效的设备组', 'Please select a valid device group'],
  devices: ['请选择有效的设备', 'Please select valid devices'],
} as const satisfies Record<string, Text>;

const chosen = async (ctx: Ctx, { target, vno_id, device_group_id, device_ids }: Range): Promise<RawBuilder<SqlBool>> => {
  if (target === 'vno') {
    const { rows } = await sql<{ path: string }>`
      select a.path from agent a where a.id = ${vno_id ?? 0} and ${inScope(ctx.me, 'a.id')}`.execute(ctx.db);
    const [vno] = rows;
    if (!vno) throw failAt('vno_id', texts.vno);
    return sql<SqlBool>`d.agent_id = any(array(select id from agent where path like ${`${vno.path}%`}))`;
  }
  if (target === 'group') {
    const { rows } = await sql<{ id: number }>`
      select g.id from device_group g where g.id = ${device_group_id ?? 0} and ${groupScope(ctx.me, 'g')}`.execute(ctx.db);
    if (!rows[0]) throw failAt('device_group_id', texts.group);
    return sql<SqlBool>`d.device_group_id = ${device_group_id}`;
  }
  if (target === 'devices') {
    const ids = [...new Set(device_ids ?? [])];
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from device d where d.id = any(${ids}::bigint[]) and ${inScope(ctx.me, 'd.agent_id', 'd.id')}`.execute(
      ctx.db,
    );
    if (rows[0]?.n !== ids.length) throw failAt('device_ids', texts.devices);
    return sql<SqlBool>`d.id = any(${ids}::bigint[])`;
  }
  return sql<SqlBool>`true`;
};

/** Adds all selected devices in one statement; returns the number. */
export const addTargets = async (ctx: Ctx, campaignId: number, range: Range): Promise<number> => {
  const some = await chosen(ctx, range);
  const reached =
    range.template_id === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`exists (select from config_template t join agent a on a.id = t.agent_id where t.id = ${range.template_id} and ${inTemplateScope('d')})`;
  const { numAffectedRows } = await sql`
    insert into config_campaign_device (campaign_id, device_id, agent_id, device_name, sn, update_at)
    select ${campaignId}, d.id, d.agent_id, d.name, d.sn, ${ctx.now()} from device d
    where ${inScope(ctx.me, 'd.agent_id', 'd.id')} and ${some} and ${reached} and d.id is distinct from ${range.but ?? null}::bigint
    order by d.id`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
};
