import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { document, type JsonObject, parse } from '@farlink/gateway/protocol/shape.ts';
import type { Updateable } from 'kysely';
import type { DeviceTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { record } from '../../kit/log/record.ts';
import { setDesired } from '../../orders/desired.ts';
import { issueLogin } from '../../orders/device-login.ts';
import { type DeviceRow, deviceLabelOf, lockDevice, patchDevice, subjectOf } from './find-device.ts';
import { refuseOtherGroup } from './group-of-device.ts';
import { merchantOf } from './merchant.ts';
import { refuseUnreachable } from './refuse.ts';
import { setKey } from './set-key.ts';
import { supersedeCommand } from './supersede.ts';

/** Seconds to wait for the gateway; the operator waits for the result, so a later reply is useless. */
const replyS = 600;

interface LockRequest {
  readonly link_lock?: DeviceRow['link_lock'] | null;
  readonly change_mode?: DeviceRow['change_mode'] | null;
}

/** Requests a link lock from the gateway; the record changes when the gateway confirms it. */
const lockLink = async (ctx: Ctx, input: LockRequest, device: DeviceRow) => {
  const before = { link_lock: device.link_lock, change_mode: device.change_mode };
  const after = { link_lock: input.link_lock ?? device.link_lock, change_mode: input.change_mode ?? device.change_mode };
  if (after.link_lock === before.link_lock && after.change_mode === before.change_mode) return undefined;
  refuseUnreachable(ctx, device, after.link_lock === before.link_lock ? 'change_mode' : 'link_lock');
  await supersedeCommand(ctx, device.id, 'link.lock', { lock: after.link_lock, mode: after.change_mode }, replyS);
  return { before, after };
};

type Input = InputOf<typeof calls.change>;
type Patch = Updateable<DeviceTable>;

const both: Text = ['代理地址和端口须同时填写', 'Enter both proxy address and port'];

const plain = ['name', 'device_type', 'device_group_id', 'proxy_addr', 'proxy_port', 'fence', 'remark'] as const;

/** Changed fields that are stored without further checks. */
const changesOf = (input: Input, device: DeviceRow): Patch => {
  const changed = plain.filter((name) => input[name] !== undefined && input[name] !== device[name]);
  return Object.fromEntries(changed.map((name) => [name, input[name]]));
};

/** Desired document of a section; its other values stay unchanged. */
const desiredOf = async (ctx: Ctx, deviceId: number, section: string): Promise<JsonObject> => {
  const stored = await ctx.db
    .selectFrom('desired_section')
    .select('doc')
    .where('device_id', '=', deviceId)
    .where('section', '=', section)
    .executeTakeFirst();
  const parsed = parse(document, stored?.doc ?? {});
  return 'value' in parsed ? parsed.value : {};
};

/** Sends the changed settings to the gateway, now or at its next connection. */
const sendSections = async (ctx: Ctx, device: DeviceRow, patch: Patch) => {
  const now = ctx.now();
  const { proxy_addr, proxy_port, fence } = { ...device, ...patch };
  if ('proxy_addr' in patch || 'proxy_port' in patch) {
    if ((proxy_addr === null) !== (proxy_port === null)) throw failAt(proxy_addr === null ? 'proxy_addr' : 'proxy_port', both);
    await setDesired(ctx.db, device.id, 'proxy', proxy_addr === null ? {} : { addr: proxy_addr, port: proxy_port }, { now });
  }
  if ('fence' in patch) {
    const { name: _, ...areas } = await desiredOf(ctx, device.id, 'fence');
    await setDesired(ctx.db, device.id, 'fence', fence === null ? areas : { ...areas, name: fence }, { now });
  }
};

export const editDevice = async (ctx: Ctx, input: Input) => {
  const device = await lockDevice(ctx, input.id);
  if (device.revision !== input.version) throw fail('stale');
  const patch: Patch = { ...changesOf(input, device), ...(await merchantOf(ctx, input, device)) };
  if (typeof patch.device_group_id === 'number') await refuseOtherGroup(ctx, patch.device_group_id, patch.agent_id ?? device.agent_id);
  const key = await setKey(ctx, input.device_key, device);
  const locked = await lockLink(ctx, input, device);
  if (Object.keys(patch).length === 0 && !key && !locked) throw fail('unchanged');
  await sendSections(ctx, device, patch);
  await patchDevice(ctx, device, { ...patch, ...key?.patch });
  if (patch.agent_id !== undefined) await issueLogin(ctx.db, device.id, ctx.now());
  const stored: Record<string, unknown> = device;
  const name = deviceLabelOf(device);
  record(ctx, [`修改设备 ${name}`, `Changed device ${name}`], {
    before: { ...Object.fromEntries(Object.keys(patch).map((field) => [field, stored[field]])), ...key?.before, ...locked?.before },
    after: { ...patch, ...key?.after, ...locked?.after },
    subject: subjectOf(device.id),
  });
};
