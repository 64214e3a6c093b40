import { type ErrorName, errors } from '@farlink/contract/errors.ts';
import { authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { DeviceRow } from './find-device.ts';

const refusal = (reason: ErrorName, field: string | undefined) => fail(reason, field ? { fields: { [field]: errors[reason].text } } : {});

/** The owner of the device is not certain until the transfer ends. */
export const refuseTransfer = ({ transfer_status }: DeviceRow, field?: string) => {
  if (transfer_status === 'transferring') throw refusal('device_transfer_open', field);
};

/** For commands sent at once: the gateway must be online and authorized. */
export const refuseUnreachable = (ctx: Ctx, device: DeviceRow, field?: string) => {
  if (device.online_state === 0) throw refusal('device_offline', field);
  if (!mayReceive(authorizationAt(device.auth_status, device.auth_expire_at, ctx.now()))) throw refusal('device_unauthorized', field);
};
