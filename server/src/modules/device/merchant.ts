import type { Text } from '@farlink/contract/kit/text.ts';
import { binding } from '@farlink/gateway/protocol/authorization.ts';
import type { Updateable } from 'kysely';
import type { DeviceTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';
import { endConnections } from '../../orders/notify.ts';
import type { DeviceRow } from './find-device.ts';

const unknown: Text = ['没有使用该商户码的VNO', 'No VNO has this merchant code'];
const bound: Text = ['设备已绑定其他VNO，请使用转移', 'The device is bound to another VNO. Use transfer instead.'];

/** A device without an owner: only its SN is known, it belongs to the platform and never had a key in use. */
const isUnclaimed = async (ctx: Ctx, { agent_id, status, key_used_at }: DeviceRow) => {
  if (key_used_at !== null || (status !== binding.unbound && status !== binding.codeError)) return false;
  const owner = await ctx.db.selectFrom('agent').select('agent_level').where('id', '=', agent_id).executeTakeFirstOrThrow();
  return owner.agent_level === 0;
};

/** The code of the current VNO is only stored. The code of another VNO assigns an unclaimed device to it; other devices are refused. */
export const merchantOf = async (
  ctx: Ctx,
  { merchant_code: code }: { readonly merchant_code?: string | null },
  device: DeviceRow,
): Promise<Updateable<DeviceTable>> => {
  if (code === undefined || code === device.merchant_code) return {};
  if (code === null) return { merchant_code: null, ...(device.status === binding.codeError && { status: binding.unbound }) };
  const vno = await ctx.db.selectFrom('agent').select('id').where('code', '=', code).where(inScope(ctx.me, 'agent.id')).executeTakeFirst();
  if (!vno) throw failAt('merchant_code', unknown);
  if (await isUnclaimed(ctx, device)) {
    await endConnections(ctx.db, device.sn);
    return { merchant_code: code, agent_id: vno.id, status: binding.normal };
  }
  if (vno.id !== device.agent_id) throw failAt('merchant_code', bound);
  return { merchant_code: code };
};
