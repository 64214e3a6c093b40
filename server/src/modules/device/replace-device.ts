import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import { replaceFields } from '@farlink/contract/device/device-fields.ts';
import { requiredText } from '@farlink/contract/kit/check.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { binding } from '@farlink/gateway/protocol/authorization.ts';
import { sql, type Updateable } from 'kysely';
import type { DeviceTable } from '../../db/tables.ts';
import { renewPortalSection } from '../../domain/portal/send-portal.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { record } from '../../kit/log/record.ts';
import { closeLogRows } from '../../orders/close-log-rows.ts';
import { endOnlineSessions } from '../../orders/end-online-sessions.ts';
import { endConnections } from '../../orders/notify.ts';
import { boundTo } from './bound-to.ts';
import { type DeviceRow, deviceLabelOf, lockDevice, patchDevice, subjectOf } from './find-device.ts';
import { refuseTransfer } from './refuse.ts';

const same: Text = ['新SN不能与原SN相同', 'The new SN must differ from the current one'];
const taken: Text = ['新设备SN已被绑定', 'The new SN is already bound'];
const inUse: Text = [
  '设备仍绑定{0}个账号、{1}个套餐、{2}张未使用的充值卡，请选择保留账号与套餐，或先解除绑定',
  '{0} accounts, {1} packages and {2} unused cards are bound to the device. Keep them or unbind them first.',
];

/** Unclaimed hardware can be the replacement: its device row is deleted. An SN of any other device is refused. */
const freeSn = async (ctx: Ctx, sn: string) => {
  // Same lock as for an enrolment, because the new hardware may enrol at this moment.
  await sql`select pg_advisory_xact_lock(7205, hashtext(${sn}))`.execute(ctx.db);
  const other = await ctx.db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select(['device.id', 'device.status', 'device.key_used_at', 'agent.agent_level'])
    .where('device.sn', '=', sn)
    .executeTakeFirst();
  if (!other) return;
  const isFree =
    other.agent_level === 0 && other.key_used_at === null && (other.status === binding.unbound || other.status === binding.codeError);
  if (!isFree) throw fail('replace_failed', { args: [taken], fields: { new_sn: taken } });
  await ctx.db.deleteFrom('device').where('id', '=', other.id).execute();
};

/** Without `keep_users`, a device with accounts, packages or cards cannot be replaced. */
const refuseLoss = async (ctx: Ctx, device: DeviceRow) => {
  const { accounts, packages, cards } = await boundTo(ctx, device);
  if (accounts + packages + cards > 0) {
    const text = fill(inUse, accounts, packages, cards);
    throw fail('replace_failed', { args: [text], fields: { keep_users: text } });
  }
};

/** Resets all columns that describe the old hardware. */
const unknown: Updateable<DeviceTable> = {
  status: binding.normal,
  hardware_id: null,
  claim_hardware_id: null,
  key_hash: null,
  key_hint: null,
  key_used_at: null,
  next_key_hash: null,
  boot: null,
  boot_at: null,
  model: null,
  version: null,
  version_past: null,
  caps: [],
  current_link: null,
  network: 'unknown',
  docker_status: 0,
  opt_status: 'uninitialized',
  intranet_ip: null,
  clock_skew: null,
  shadow_hash: null,
  shadow_odd: null,
  link_lock: 'unlocked',
  change_mode: 'default',
  portal_id: null,
  portal_rev: null,
  transfer_status: null,
  fence_state: null,
  fence_at: null,
};

/** The configuration is sent to the new hardware. Open commands of the old hardware expire and are reported as such. */
const switchHardware = async (ctx: Ctx, { id, sn }: DeviceRow) => {
  await endOnlineSessions(ctx.db, id, ctx.now());
  await closeLogRows(ctx.db, id, ctx.now());
  // The new hardware numbers its sessions from the start; the suffix separates them from the old ones.
  await sql`update online_session set session_id = session_id || '@' || ${sn} where device_id = ${id}`.execute(ctx.db);
  for (const table of ['device_status', 'reported_section'] as const) await ctx.db.deleteFrom(table).where('device_id', '=', id).execute();
  await ctx.db.updateTable('desired_section').set({ settled: false, sent_at: null }).where('device_id', '=', id).execute();
  await ctx.db
    .updateTable('device_command')
    .set((eb) => ({ deadline: eb.fn<number>('least', ['deadline', eb.val(ctx.now())]) }))
    .where('device_id', '=', id)
    .where('state', '<', commandState.ids.done)
    .execute();
};

/**
 * New hardware for the same device: it keeps its accounts, packages, bills and settings, and gets a new SN without a key. The new hardware
 * binds itself with the merchant code. The old key is void.
 */
export const replaceDevice = async (ctx: Ctx, input: InputOf<typeof calls.change>) => {
  const { new_sn, keep_users, remark } = input;
  if (typeof new_sn !== 'string') throw failAt('new_sn', requiredText(replaceFields.new_sn));
  const device = await lockDevice(ctx, input.id);
  if (device.revision !== input.version) throw fail('stale');
  if (device.online_state === 1) throw fail('device_online');
  refuseTransfer(device);
  if (new_sn === device.sn) throw failAt('new_sn', same);
  await freeSn(ctx, new_sn);
  if (keep_users === false) await refuseLoss(ctx, device);
  await switchHardware(ctx, device);
  await patchDevice(ctx, device, { ...unknown, sn: new_sn, ...(typeof remark === 'string' && { remark }) });
  await renewPortalSection({ db: ctx.db, config: ctx.deps.config }, device.id, ctx.now());
  await endConnections(ctx.db, device.sn);
  const name = deviceLabelOf(device);
  record(ctx, [`更换设备 ${name}，新SN ${new_sn}`, `Replaced device ${name}, new SN ${new_sn}`], {
    before: { sn: device.sn, hardware_id: device.hardware_id, model: device.model, version: device.version },
    after: { sn: new_sn, keep_users: keep_users ?? true, ...(typeof remark === 'string' && { remark }) },
    subject: subjectOf(device.id),
  });
};
