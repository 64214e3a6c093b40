import type { transferCalls as calls } from '@farlink/contract/device/transfer.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Handler } from '../../../kit/http/serve.ts';
import { inScope } from '../../../kit/list/scope.ts';

const texts = {
  device: [
    '{0}：现属VNO {1}；随设备转移 {2} 个账号，{3} 个留在原VNO；解绑 {4} 个套餐；遗留 {5} 张未用卡',
    '{0}: current VNO {1}. {2} accounts move with the device, {3} stay, {4} packages are unbound, {5} unused cards stay',
  ],
  same: ['{0} 已属于所选VNO', '{0} already belongs to this VNO'],
  group: [
    '设备组 {0} 没有其他设备：绑定该组的 {1} 个账号将没有网关',
    'Group {0} has no other device: its {1} accounts will have no gateway',
  ],
  more: ['另有 {0} 台设备', '{0} more devices'],
} as const satisfies Record<string, Text>;

const maxNames = 5;

/** Owners of the devices, and the objects that a transfer moves. */
export const previewTransfer: Handler<typeof calls.preview> = async (ctx, { ids, vno_id, keep_users }) => {
  const isKept = keep_users ?? true;
  const rows = await ctx.db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .leftJoin('device_group', 'device_group.id', 'device.device_group_id')
    .select(['device.name', 'device.sn', 'device.agent_id', 'agent.name as agent_name', 'device_group.name as group_name'])
    .select([
      sql<number>`(select count(*)::int from subscriber s where s.device_group_id = device.device_group_id and not exists (
        select from device o where o.device_group_id = device.device_group_id and o.id <> all(${ids}::bigint[])))`.as('stranded'),
      sql<number>`(select count(*)::int from subscriber s where s.device_id = device.id and ${isKept} and s.balance = 0)`.as('moved'),
      sql<number>`(select count(*)::int from subscriber s where s.device_id = device.id and not (${isKept} and s.balance = 0))`.as('kept'),
      sql<number>`(select count(*)::int from package p where p.device_ids @> array[device.id])`.as('packages'),
      sql<number>`(select count(*)::int from recharge_card c where c.device_id = device.id and c.status = 'unused')`.as('cards'),
    ])
    .where('device.id', 'in', [...ids, 0])
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .orderBy('device.id')
    .limit(maxNames)
    .execute();
  const notes = rows.flatMap((row): PreviewNote[] => {
    const name = row.name ?? row.sn;
    const about = fill(texts.device, name, row.agent_name, row.moved, row.kept, row.packages, row.cards);
    return [
      { text: say(about, ctx.lang) },
      ...(row.stranded > 0
        ? [{ text: say(fill(texts.group, row.group_name ?? '', row.stranded), ctx.lang), tone: 'warning' as const }]
        : []),
      ...(row.agent_id === vno_id ? [{ text: say(fill(texts.same, name), ctx.lang), tone: 'warning' as const }] : []),
    ];
  });
  const others = ids.length - maxNames;
  return { notes: others > 0 ? [...notes, { text: say(fill(texts.more, others), ctx.lang) }] : notes };
};
