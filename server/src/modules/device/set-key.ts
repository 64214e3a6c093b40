import type { Ctx } from '../../kit/ctx.ts';
import { keyColumns } from '../../orders/device-key.ts';
import { endConnections } from '../../orders/notify.ts';
import type { DeviceRow } from './find-device.ts';
import { refuseTransfer, refuseUnreachable } from './refuse.ts';
import { askAnew } from './supersede.ts';

const answerS = 900;
const hint = (end: string | null) => ({ key_hint: end });

/**
 * A gateway that is here is told its new key and changes over by itself, so nobody is locked out; for one that is away the new key
 * holds at once, because whoever stands before it has to enter it.
 */
export const setKey = async (ctx: Ctx, key: string | null | undefined, device: DeviceRow) => {
  if (key === undefined || key === null) return undefined;
  refuseTransfer(device, 'device_key');
  const change = { before: hint(device.key_hint), after: hint(key.slice(-4)) };
  if (device.online_state === 0) {
    await endConnections(ctx.db, device.sn);
    // A device that was in use stays so: else the next stranger with the VNO's code would be given a key of his own.
    return { ...change, patch: { ...keyColumns(key), key_used_at: device.key_used_at } };
  }
  refuseUnreachable(ctx, device, 'device_key');
  await askAnew(ctx, device.id, 'key.set', { key }, answerS);
  return { ...change, patch: {} };
};
