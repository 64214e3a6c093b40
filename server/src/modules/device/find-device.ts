import type { Text } from '@farlink/contract/kit/text.ts';
import type { Selectable, Updateable } from 'kysely';
import type { DeviceTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { nameObject } from '../../kit/log/record.ts';
import { notifyChange } from '../../orders/notify.ts';
import { deviceScope } from './device-query.ts';

export type DeviceRow = Selectable<DeviceTable>;

/** Locks the device until the transaction ends; messages of its gateway are still stored. */
export const lockDevice = async (ctx: Ctx, id: number): Promise<DeviceRow> => {
  const row = await ctx.db
    .selectFrom('device')
    .selectAll()
    .where('id', '=', id)
    .where(deviceScope(ctx.me))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, deviceLabelOf(row), subjectOf(row.id));
  return row;
};

export const findDevice = async (ctx: Ctx, id: number): Promise<DeviceRow> => {
  const row = await ctx.db.selectFrom('device').selectAll().where('id', '=', id).where(deviceScope(ctx.me)).executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, deviceLabelOf(row), subjectOf(row.id));
  return row;
};

/** Each operator change makes open forms stale and updates open pages. */
export const patchDevice = async (ctx: Ctx, device: DeviceRow, patch: Updateable<DeviceTable>) => {
  await ctx.db
    .updateTable('device')
    .set({ ...patch, revision: device.revision + 1 })
    .where('id', '=', device.id)
    .execute();
  await notifyChange(ctx.db, 'record', [device.id]);
};

export const subjectOf = (id: number) => `device:${id}`;

export const deviceLabelOf = ({ name, sn }: Pick<DeviceRow, 'name' | 'sn'>) => (name === sn ? sn : `${name} (${sn})`);

/** Names of refused rows for the operator log; a device out of scope has no name. */
export const namesOf = async (ctx: Ctx, ids: readonly number[], actionText: Text) => {
  const rows = await ctx.db.selectFrom('device').select(['id', 'name', 'sn']).where('id', 'in', ids).where(deviceScope(ctx.me)).execute();
  const names = new Map(rows.map((row) => [row.id, deviceLabelOf(row)]));
  return (id: number) => {
    const name = names.get(id);
    const content: Text = [`${actionText[0]} ${name ?? `#${id}`}`, `${actionText[1]} ${name ?? `#${id}`}`];
    return name === undefined ? { content, missing: true } : { content, subject: subjectOf(id) };
  };
};
