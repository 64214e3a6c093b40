import { commandState } from '@farlink/contract/protocol/command.ts';
import type { OperationName } from '@farlink/gateway/protocol/command.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { cancelCommand, sendCommand } from '../../orders/command.ts';

/** Sends a command and cancels earlier ones of the same kind that the gateway has not taken. */
export const supersedeCommand = async (ctx: Ctx, deviceId: number, op: OperationName, args: JsonObject, seconds: number) => {
  const now = ctx.now();
  const waiting = await ctx.db
    .selectFrom('device_command')
    .select('id')
    .where('device_id', '=', deviceId)
    .where('op', '=', op)
    .where('state', 'in', commandState.from('cancel'))
    .execute();
  for (const { id } of waiting) await cancelCommand(ctx.db, id, now);
  return sendCommand(ctx.db, deviceId, op, args, { now, deadline: now + seconds, by: ctx.me });
};
