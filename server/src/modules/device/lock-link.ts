import type { Ctx } from '../../kit/ctx.ts';
import type { DeviceRow } from './find-device.ts';
import { refuseUnreachable } from './refuse.ts';
import { supersedeCommand } from './supersede.ts';

/** Seconds to wait for the gateway; the operator waits for the result, so a later reply is useless. */
const replyS = 600;

interface LockRequest {
  readonly link_lock?: DeviceRow['link_lock'] | null;
  readonly change_mode?: DeviceRow['change_mode'] | null;
}

/** Requests a link lock from the gateway; the record changes when the gateway confirms it. */
export const lockLink = async (ctx: Ctx, input: LockRequest, device: DeviceRow) => {
  const before = { link_lock: device.link_lock, change_mode: device.change_mode };
  const after = { link_lock: input.link_lock ?? device.link_lock, change_mode: input.change_mode ?? device.change_mode };
  if (after.link_lock === before.link_lock && after.change_mode === before.change_mode) return undefined;
  refuseUnreachable(ctx, device, after.link_lock === before.link_lock ? 'change_mode' : 'link_lock');
  await supersedeCommand(ctx, device.id, 'link.lock', { lock: after.link_lock, mode: after.change_mode }, replyS);
  return { before, after };
};
