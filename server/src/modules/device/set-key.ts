import type { Ctx } from '../../kit/ctx.ts';
import { keyColumns } from '../../orders/device-key.ts';
import { endConnections } from '../../orders/notify.ts';
import type { DeviceRow } from './find-device.ts';
import { refuseTransfer, refuseUnreachable } from './refuse.ts';
import { supersedeCommand } from './supersede.ts';

const replyS = 900;
const hint = (end: string | null) => ({ key_hint: end });

/**
 * An online gateway receives the new key and switches to it itself, so it is not locked out. For an offline gateway, the new key is valid
 * at once, because it must be entered on site.
 */
export const setKey = async (ctx: Ctx, key: string | null | undefined, device: DeviceRow) => {
  if (key === undefined || key === null) return undefined;
  refuseTransfer(device, 'device_key');
  const change = { before: hint(device.key_hint), after: hint(key.slice(-4)) };
  if (device.online_state === 0) {
    await endConnections(ctx.db, device.sn);
    // `key_used_at` is kept: otherwise the next gateway with the merchant code would get a key.
    return { ...change, patch: { ...keyColumns(key), key_used_at: device.key_used_at } };
  }
  refuseUnreachable(ctx, device, 'device_key');
  await supersedeCommand(ctx, device.id, 'key.set', { key }, replyS);
  return { ...change, patch: {} };
};
