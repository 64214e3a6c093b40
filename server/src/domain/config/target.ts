import type { Selectable } from 'kysely';
import type { DeviceTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';
import { nameObject } from '../../kit/log/record.ts';

/** Device whose configuration is changed. */
export type Target = Selectable<DeviceTable>;

const inScopeOf = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('device')
    .selectAll()
    .where('id', '=', id)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'));

export const findTarget = async (ctx: Ctx, id: number): Promise<Target> => {
  const row = await inScopeOf(ctx, id).executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, calledOf(row), subjectOf(row));
  return row;
};

/** Locks the device, so that two operators apply one after the other. */
export const lockTarget = async (ctx: Ctx, id: number): Promise<Target> => {
  const row = await inScopeOf(ctx, id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, calledOf(row), subjectOf(row));
  return row;
};

export const subjectOf = ({ id }: Pick<Target, 'id'>) => `device:${id}`;

export const calledOf = ({ name, sn }: Pick<Target, 'name' | 'sn'>) => (name === sn ? sn : `${name} (${sn})`);
