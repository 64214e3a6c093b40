import { errors } from '@farlink/contract/errors.ts';
import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import { firmwareCalls } from '@farlink/contract/firmware/firmware.ts';
import { upgradeCalls as calls } from '@farlink/contract/firmware/upgrade.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/api.ts';
import { addDevice, mustUpload } from '../../../test/firmware/fixture.ts';
import { type FleetApi, startFleetApi } from '../../../test/fleet-api.ts';
import { makeBranches } from '../../../test/world.ts';
import { advance } from '../../domain/firmware/advance.ts';
import { sweepCampaigns } from '../../domain/firmware/sweep-job.ts';
import { sweepField } from '../../field/sweep.ts';

let api: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;

beforeAll(async () => {
  api = await startFleetApi();
  world = await makeBranches(api);
  await mustUpload(api, world.admin, { version: '4.0.0', model: 'FG-200' });
  await mustUpload(api, world.admin, { version: '4.1.0', model: 'FG-200', display_rule: 'vno', vno_ids: world.eastId });
  await mustUpload(api, world.admin, { version: '2.0.0', model: 'FG-200' });
  await mustUpload(api, world.admin, { version: '9.0.0', model: 'FG-900' });
});
afterAll(() => api?.close());

/** Advances the clock and keeps all sessions valid. */
const later = async (seconds: number) => {
  api.clock.advance(seconds);
  await api.db.updateTable('session').set({ seen_at: api.clock.now() }).execute();
};
let serial = 0;
const newGateway = async (options: Partial<GatewayOptions> = {}, agentId = world.eastId) => {
  const made = await api.addGateway(agentId, `UP${++serial}`, options);
  expect(await made.gateway.connect()).toBe(true);
  return made;
};
/** One run of the sweep job. */
const work = () => sweepCampaigns(api.db, api.deps.config, api.clock.now());
/** Reconnects all gateways and runs the worker. */
const resume = async () => {
  for (const gateway of api.gateways) await gateway.connect();
  await work();
};
const order = (ids: number[], more: Record<string, unknown> = {}, by: Caller = world.east) =>
  by.call(calls.upgrade, { version: '04.00.00', send_mode: 'immediate', ids, ...more });
const lastCampaign = async (by: Caller = world.east) => {
  const { data } = await by.call(campaignCalls.list, { limit: 1, orderby: 'create_at desc' });
  const [row] = data.list;
  if (!row) throw new Error('no campaign');
  return row;
};
const devicesOf = async (id: number, by: Caller = world.east) =>
  (await by.call(campaignCalls.devices, { id, limit: 100, orderby: 'finish_at asc' })).data.list;
const stateOf = (deviceId: number) =>
  api.db.selectFrom('upgrade_device').selectAll().where('device_id', '=', deviceId).orderBy('id', 'desc').executeTakeFirstOrThrow();
const commandsOf = (ids: readonly number[]) =>
  api.db
    .selectFrom('device_command')
    .select(['device_id', 'op', 'args', 'state'])
    .where('device_id', 'in', ids)
    .orderBy('create_at')
    .execute();
const becomes = async (deviceId: number, state: string) => {
  await expect
    .poll(async () => {
      await resume();
      return (await stateOf(deviceId)).state;
    })
    .toBe(state);
  // The device may have ended after the last run.
  await work();
};

describe('an upgrade', () => {
  it('succeeds when the gateway has downloaded the file, restarted and reported the new version', async () => {
    const { id, gateway } = await newGateway();
    const begun = (await order([id])).data;
    expect(begun).toEqual({ success: 1, fail: 0, list: [{ id, success: true, message: '' }], campaign_id: expect.any(Number) });
    const shown = await world.east.call(campaignCalls.read, { id: begun.campaign_id ?? 0 });
    expect(shown.data).toMatchObject({ id: begun.campaign_id, kind: 'upgrade', device_count: 1 });
    expect((await world.west.call(campaignCalls.read, { id: begun.campaign_id ?? 0 })).code).toBe(errors.not_found.code);
    await becomes(id, 'success');
    expect(gateway.firmware).toMatchObject({ version: '04.00.00', previous: '03.02.01' });
    const device = await api.db.selectFrom('device').select(['version', 'version_past']).where('id', '=', id).executeTakeFirstOrThrow();
    expect(device).toEqual({ version: '04.00.00', version_past: '03.02.01' });
    const campaign = await lastCampaign();
    expect(campaign).toMatchObject({
      version: '04.00.00',
      kind: 'upgrade',
      state: 'done',
      success_count: 1,
      fail_count: 0,
      progress: 100,
      wave: '1 / 1',
    });
    expect(await devicesOf(campaign.id)).toMatchObject([
      { state: 'success', progress: 100, from_version: '03.02.01', current_version: '04.00.00', reason: null },
    ]);
    const log = await api.db.selectFrom('syslog').selectAll().where('subject', '=', `device:${id}`).executeTakeFirstOrThrow();
    expect(log).toMatchObject({ result: 'success', content_zh: `升级设备 ship ${gateway.sn} 至 04.00.00` });
    // A finished device schedules one sweep.
    const woken = await api.db.selectFrom('job').select('key').where('kind', '=', 'upgrade_sweep').execute();
    expect(woken).toEqual([{ key: `upgrade_sweep:ended:${(await stateOf(id)).id}` }]);
  });

  it('is rolled back if the new version does not boot, and shows the version of the gateway', async () => {
    const { id, gateway } = await newGateway();
    gateway.faults.upgrade = 'boot';
    await order([id]);
    await becomes(id, 'rolled_back');
    const campaign = await lastCampaign();
    expect(campaign).toMatchObject({ state: 'done', success_count: 0, fail_count: 1 });
    expect(await devicesOf(campaign.id)).toMatchObject([{ reason: '新版本启动失败，已回到 03.02.01', current_version: '03.02.01' }]);
  });

  it('fails if the image cannot be installed, or the file is corrupt, missing or cannot be downloaded', async () => {
    for (const [fault, reason] of [
      ['install', '安装失败'],
      ['corrupt', '固件文件校验失败'],
      ['missing', '固件文件不存在或链接已失效'],
      ['net', '下载失败'],
    ] as const) {
      const { id, gateway } = await newGateway();
      if (fault === 'install') gateway.faults.upgrade = fault;
      else gateway.faults.file = fault;
      await order([id]);
      await becomes(id, 'failed');
      expect(await devicesOf((await lastCampaign()).id), fault).toMatchObject([{ reason }]);
      expect(gateway.firmware.version).toBe('03.02.01');
    }
  });

  it('fails after 15 minutes if the gateway replies success but never reports the new version', async () => {
    const { id, gateway } = await newGateway();
    // A forged reply reports success, but the gateway never reports the new version.
    gateway.faults.neverAck = true;
    await order([id]);
    const { command_id } = await stateOf(id);
    await api.endpoint.field.delivered(gateway.sn, 'x', { kind: 'sent_command', id: command_id ?? '' });
    await new Promise<void>((done) =>
      api.endpoint.field.receive(gateway.sn, `r/${command_id}`, '{"st":"done","out":{"version":"04.00.00"}}', 'x', () => done()),
    );
    expect((await stateOf(id)).state).toBe('verifying');
    await later(limits.upgradeCheckMinutes * 60 - 1);
    await work();
    expect((await stateOf(id)).state).toBe('verifying');
    await later(1);
    await work();
    expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: 'unconfirmed' });
  });

  it('fails at its deadline if the gateway does not reply', async () => {
    const { id, gateway } = await newGateway();
    gateway.faults.neverAck = true;
    await order([id]);
    await later(limits.upgradeRunHours * 3600);
    await sweepField(api.deps.pool, api.clock.now());
    expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: 'timeout' });
  });
});

describe('an upgrade request', () => {
  const refusalOf = async (ids: number[], more: Record<string, unknown> = {}, by: Caller = world.east) => {
    const { data } = await order(ids, more, by);
    expect(data.success).toBe(0);
    return data.list[0]?.message;
  };

  it('is refused for a device that is offline, suspended, expired, not found or already upgrading', async () => {
    const offline = await addDevice(api, world.eastId, { online_state: 0 });
    expect(await refusalOf([offline.id])).toBe(errors.device_offline.text[0]);
    const suspended = await addDevice(api, world.eastId, { auth_status: 'suspended' });
    expect(await refusalOf([suspended.id])).toBe(errors.upgrade_unauthorized.text[0]);
    const expired = await addDevice(api, world.eastId, { auth_expire_at: api.clock.now() - 1 });
    expect(await refusalOf([expired.id])).toBe(errors.upgrade_unauthorized.text[0]);
    const foreign = await addDevice(api, world.westId);
    expect(await refusalOf([foreign.id])).toBe(errors.not_found.text[0]);
    const twice = await addDevice(api, world.eastId);
    expect((await order([twice.id])).data.success).toBe(1);
    expect(await refusalOf([twice.id])).toBe(errors.device_upgrading.text[0]);
  });

  it('is refused if the version is missing, unsuitable, hidden or not newer, or the current version is unknown', async () => {
    const { id } = await addDevice(api, world.eastId);
    expect(await refusalOf([id], { version: '8.8.8' })).toBe('版本 08.08.08 不存在，或不适用于该设备');
    expect(await refusalOf([id], { version: '9.0.0' })).toBe('版本 09.00.00 不存在，或不适用于该设备');
    const west = await addDevice(api, world.westId);
    expect(await refusalOf([west.id], { version: '4.1.0' }, world.west)).toBe('版本 04.01.00 不存在，或不适用于该设备');
    expect(await refusalOf([id], { version: '2.0.0' })).toBe('目标版本 02.00.00 不高于当前版本 03.02.01');
    const same = await addDevice(api, world.eastId, { version: '4.0.0' });
    expect(await refusalOf([same.id])).toBe('目标版本 04.00.00 不高于当前版本 4.0.0');
    const mute = await addDevice(api, world.eastId, { version: null });
    expect(await refusalOf([mute.id])).toBe(errors.version_unknown.text[0]);
  });

  it('is refused with a start time that is missing, in the past or too far in the future', async () => {
    const { id } = await addDevice(api, world.eastId);
    for (const send_at of [api.clock.now() - 1, api.clock.now() + 31 * 86_400, undefined])
      expect((await order([id], { send_mode: 'timed', send_at })).data).toHaveProperty('fields.send_at');
  });

  it('creates no campaign if every device is refused, and one with the accepted devices of a mixed selection', async () => {
    const before = await lastCampaign();
    const bad = await addDevice(api, world.eastId, { online_state: 0 });
    await refusalOf([bad.id]);
    expect((await lastCampaign()).id).toBe(before.id);
    const good = await addDevice(api, world.eastId);
    expect((await order([bad.id, good.id])).data).toMatchObject({ success: 1, fail: 1 });
    expect(await lastCampaign()).toMatchObject({ device_count: 1 });
  });

  it('prevents deletion of its firmware, and removal of the model of its devices, until the campaign ends', async () => {
    const { id: deviceId } = await addDevice(api, world.eastId, { model: 'FG-300' });
    const id = await mustUpload(api, world.admin, { version: '5.0.0', model: 'FG-300,FG-301' });
    await order([deviceId], { version: '5.0.0' });
    const listed = (await world.admin.call(firmwareCalls.list, { version: '05.00.00' })).data.list[0];
    expect(listed).toMatchObject({ in_use: true });
    expect((await world.admin.call(firmwareCalls.remove, { id })).code).toBe(errors.firmware_in_use.code);
    const form = { id, remark: 'x', display_rule: 'all', revision: 1 };
    expect((await world.admin.call(firmwareCalls.update, { ...form, model: ['FG-301'] })).code).toBe(errors.firmware_model_used.code);
    expect((await world.admin.call(firmwareCalls.update, { ...form, model: ['FG-300'] })).code).toBe(0);
    const campaign = await lastCampaign();
    expect((await world.east.call(campaignCalls.end, { id: campaign.id })).code).toBe(0);
    expect((await world.admin.call(firmwareCalls.remove, { id })).code).toBe(0);
  });
});

describe('an upgrade campaign', () => {
  it('starts with one device, stops if it fails, can be resumed, and ends a wave before the next starts', async () => {
    const fleet = [await newGateway(), await newGateway(), await newGateway()];
    const ids = fleet.map((f) => f.id);
    const [first, second, third] = fleet;
    if (!first || !second || !third) throw new Error();
    first.gateway.faults.upgrade = 'install';
    await order(ids);
    expect((await commandsOf(ids)).map((c) => c.device_id)).toEqual([first.id]);
    await becomes(first.id, 'failed');
    await work();
    const stopped = await lastCampaign();
    expect(stopped).toMatchObject({
      state: 'stopped',
      wave: '1 / 3',
      fail_count: 1,
      open_count: 2,
      message: '第1批 1 台中有 1 台失败，已自动暂停',
    });
    expect((await devicesOf(stopped.id)).map((d) => d.reason)).toEqual(['安装失败', '任务已暂停', '任务已暂停']);
    expect(await commandsOf([second.id, third.id])).toEqual([]);

    expect((await world.east.call(campaignCalls.resume, { id: stopped.id })).code).toBe(0);
    expect((await world.east.call(campaignCalls.resume, { id: stopped.id })).code).toBe(errors.wrong_state.code);
    // The first wave is finished, the second has one device; the third waits for it.
    expect((await commandsOf([second.id, third.id])).map((c) => c.device_id)).toEqual([second.id]);
    expect((await devicesOf(stopped.id)).find((d) => d.state === 'queued')?.reason).toBe('等待前面的设备升级完成');
    await becomes(third.id, 'success');
    await work();
    expect(await lastCampaign()).toMatchObject({ state: 'done', success_count: 2, fail_count: 1, wave: '3 / 3' });
  });

  it('waits for its start time, and upgrades offline devices when they come online', async () => {
    const here = await newGateway();
    const away = await newGateway();
    away.gateway.stop();
    await expect
      .poll(() => api.db.selectFrom('device').select('online_state').where('id', '=', away.id).executeTakeFirst())
      .toEqual({
        online_state: 0,
      });
    const send_at = api.clock.now() + 3600;
    expect((await order([here.id, away.id], { send_mode: 'timed', send_at })).data.success).toBe(2);
    await work();
    const campaign = await lastCampaign();
    expect(campaign).toMatchObject({ state: 'waiting', send_at, send_mode: 'timed' });
    expect((await devicesOf(campaign.id)).map((d) => d.reason)).toEqual(['等待计划时间', '等待计划时间']);
    expect(await commandsOf([here.id, away.id])).toEqual([]);

    await later(3600);
    await expect
      .poll(async () => {
        await here.gateway.connect();
        await work();
        return (await stateOf(here.id)).state;
      })
      .toBe('success');
    await work();
    expect((await devicesOf(campaign.id)).find((d) => d.sn === away.gateway.sn)?.reason).toBe('设备离线，上线后继续');
    expect(await commandsOf([away.id])).toEqual([]);
    await becomes(away.id, 'success');
  });

  it('waits while the device uses L-band, shows the reason, and continues on another link', async () => {
    const { id, gateway } = await newGateway();
    gateway.stop();
    gateway.current = 'l_band';
    await expect
      .poll(async () => {
        await gateway.connect();
        return (await api.db.selectFrom('device').select('network').where('id', '=', id).executeTakeFirstOrThrow()).network;
      })
      .toBe('l_band');
    expect((await order([id])).data.success).toBe(1);
    await work();
    const campaign = await lastCampaign();
    expect(await devicesOf(campaign.id)).toMatchObject([{ state: 'queued', reason: '当前为L波段链路，切换到其他链路后继续' }]);
    expect(await commandsOf([id])).toEqual([]);
    gateway.stop();
    gateway.current = 'lte';
    await becomes(id, 'success');
  });

  it('expires devices that cannot start within a day', async () => {
    const { id } = await addDevice(api, world.eastId, { network: 'l_band' });
    await order([id]);
    await later(limits.upgradeWaitHours * 3600);
    await work();
    expect(await stateOf(id)).toMatchObject({ state: 'expired', reason: 'unreachable' });
    expect(await lastCampaign()).toMatchObject({ state: 'done', success_count: 0, fail_count: 0 });
  });

  it('skips a device that was transferred or deleted, or already has the same or a newer version', async () => {
    const at = api.clock.now() + 60;
    const moved = await addDevice(api, world.eastId);
    const gone = await addDevice(api, world.eastId);
    const ahead = await addDevice(api, world.eastId);
    const ready = await addDevice(api, world.eastId);
    await order([moved.id, gone.id, ahead.id, ready.id], { send_mode: 'timed', send_at: at });
    await api.db.updateTable('device').set({ agent_id: world.childId }).where('id', '=', moved.id).execute();
    await api.db.deleteFrom('device').where('id', '=', gone.id).execute();
    await api.db.updateTable('device').set({ version: '05.00.00' }).where('id', '=', ahead.id).execute();
    await api.db.updateTable('device').set({ version: '4.0.0' }).where('id', '=', ready.id).execute();
    await later(60);
    await work();
    expect(await stateOf(moved.id)).toMatchObject({ state: 'cancelled', reason: 'moved' });
    expect(await stateOf(ahead.id)).toMatchObject({ state: 'cancelled', reason: 'newer' });
    expect(await stateOf(ready.id)).toMatchObject({ state: 'success', reason: 'already' });
    const campaign = await lastCampaign();
    expect((await devicesOf(campaign.id)).find((d) => d.sn === gone.sn)).toMatchObject({
      state: 'cancelled',
      reason: '设备已转移、更换或删除',
    });
    expect(campaign.state).toBe('done');
  });

  it('cancels a device if the version is no longer visible to it at the start time', async () => {
    const { id } = await addDevice(api, world.eastId, { model: 'FG-400' });
    const firmwareId = await mustUpload(api, world.admin, { version: '6.0.0', model: 'FG-400' });
    await order([id], { version: '6.0.0', send_mode: 'timed', send_at: api.clock.now() + 60 });
    const form = { id: firmwareId, model: ['FG-400'], remark: 'x', revision: 1, display_rule: 'vno', vno_ids: [world.westId] };
    expect((await world.admin.call(firmwareCalls.update, form)).code).toBe(0);
    await later(60);
    await work();
    expect(await stateOf(id)).toMatchObject({ state: 'cancelled', reason: 'withdrawn' });
  });

  it('can be stopped before its start time, resumed and ended', async () => {
    const { id } = await addDevice(api, world.eastId);
    await order([id], { send_mode: 'timed', send_at: api.clock.now() + 60 });
    const campaign = await lastCampaign();
    expect((await world.east.call(campaignCalls.stop, { id: campaign.id })).code).toBe(0);
    expect((await world.east.call(campaignCalls.stop, { id: campaign.id })).code).toBe(errors.wrong_state.code);
    await later(60);
    await work();
    expect(await lastCampaign()).toMatchObject({ state: 'stopped' });
    expect(await commandsOf([id])).toEqual([]);
    await world.east.call(campaignCalls.resume, { id: campaign.id });
    expect(await commandsOf([id])).toHaveLength(1);
    // A command that the gateway has not taken is cancelled.
    expect((await world.east.call(campaignCalls.end, { id: campaign.id })).code).toBe(0);
    expect(await stateOf(id)).toMatchObject({ state: 'cancelled', reason: 'ended' });
    expect(await commandsOf([id])).toMatchObject([{ state: 6 }]);
    expect((await world.east.call(campaignCalls.end, { id: campaign.id })).code).toBe(errors.wrong_state.code);
  });

  it('sends each device one command with concurrent workers, and none if a worker fails before its commit', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) ids.push((await addDevice(api, world.eastId)).id);
    await order(ids, { send_mode: 'timed', send_at: api.clock.now() + 60 });
    await later(60);
    const { id } = await lastCampaign();
    const dying = api.db.transaction().execute(async (tx) => {
      const campaign = await tx.selectFrom('upgrade_campaign').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
      await advance(tx, api.deps.config, campaign, api.clock.now());
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await commandsOf(ids)).toEqual([]);
    await Promise.all([work(), work(), work()]);
    expect(await commandsOf(ids)).toHaveLength(1);
    await api.db
      .updateTable('upgrade_device')
      .set({ state: 'success' })
      .where('campaign_id', '=', id)
      .where('state', '=', 'sending')
      .execute();
    await Promise.all([work(), work(), work()]);
    expect(await commandsOf(ids)).toHaveLength(2);
    await world.east.call(campaignCalls.end, { id });
  });

  it('limits the number of devices that download at the same time', async () => {
    const ids: number[] = [];
    for (let i = 0; i < limits.upgradeAtOnce + 10; i++) ids.push((await addDevice(api, world.eastId)).id);
    await order(ids);
    const succeed = () =>
      api.db.updateTable('upgrade_device').set({ state: 'success' }).where('device_id', 'in', ids).where('state', '=', 'sending').execute();
    const under = async () => (await commandsOf(ids)).length;
    expect(await under()).toBe(1);
    await succeed();
    await work();
    expect(await under()).toBe(1 + 3);
    await succeed();
    await work();
    expect(await under()).toBe(1 + 3 + limits.upgradeAtOnce);
    await work();
    expect(await under()).toBe(1 + 3 + limits.upgradeAtOnce);
    await succeed();
    await work();
    expect(await under()).toBe(ids.length);
    await world.east.call(campaignCalls.end, { id: (await lastCampaign()).id });
  });

  it('is not visible to other branches or to VNOs below its owner', async () => {
    const { id: deviceId } = await addDevice(api, world.eastId);
    await order([deviceId], { send_mode: 'timed', send_at: api.clock.now() + 600 });
    const { id } = await lastCampaign();
    for (const call of [campaignCalls.devices, campaignCalls.stop, campaignCalls.resume, campaignCalls.end])
      for (const by of [world.west, world.child]) expect((await by.call(call, { id })).code, call.path).toBe(errors.not_found.code);
    expect((await world.west.call(campaignCalls.list, {})).data.list).toEqual([]);
    expect((await world.admin.call(campaignCalls.devices, { id })).data.total).toBe(1);
    await world.east.call(campaignCalls.end, { id });
    const begun = await order([deviceId], { send_mode: 'timed', send_at: api.clock.now() + 600 }, world.admin);
    const ofPlatform = { id: begun.data.campaign_id ?? 0 };
    expect((await world.admin.call(campaignCalls.devices, ofPlatform)).data.total).toBe(1);
    expect((await world.east.call(campaignCalls.devices, ofPlatform)).code).toBe(errors.not_found.code);
    expect((await world.east.call(campaignCalls.list, { limit: 100 })).data.list.map((row) => row.id)).not.toContain(ofPlatform.id);
    await world.admin.call(campaignCalls.end, ofPlatform);
  });
});

describe('a rollback', () => {
  const back = (ids: number[], version: string) => world.east.call(calls.rollback, { version, remark: '新版本不稳定', ids });

  it('starts the previous version, which is still on the gateway, without a download', async () => {
    const { id, gateway } = await newGateway({ version: '04.00.00', previous: '03.02.01' });
    expect((await back([id], '3.2.1')).data.success).toBe(1);
    expect(await commandsOf([id])).toMatchObject([{ op: 'sys.rollback', args: { version: '03.02.01' } }]);
    await becomes(id, 'success');
    expect(gateway.firmware.version).toBe('03.02.01');
    expect(await lastCampaign()).toMatchObject({ kind: 'rollback', remark: '新版本不稳定', success_count: 1 });
  });

  it('downloads an older version from the firmware list', async () => {
    const { id, gateway } = await newGateway({ version: '04.00.00', previous: '03.02.01' });
    expect((await back([id], '2.0.0')).data.success).toBe(1);
    await becomes(id, 'success');
    expect(gateway.firmware.version).toBe('02.00.00');
  });

  it('is possible only for an online device, to an older version that exists', async () => {
    const { id } = await addDevice(api, world.eastId, { version: '03.02.01', version_past: '03.01.00' });
    const refusal = async (version: string) => (await back([id], version)).data.list[0]?.message;
    expect(await refusal('3.2.1')).toBe('回退版本 03.02.01 须低于当前版本 03.02.01');
    expect(await refusal('4.0.0')).toBe('回退版本 04.00.00 须低于当前版本 03.02.01');
    expect(await refusal('1.0.0')).toBe('版本 01.00.00 不存在，或不适用于该设备');
    await api.db.updateTable('device').set({ online_state: 0 }).where('id', '=', id).execute();
    expect(await refusal('3.1.0')).toBe(errors.device_offline.text[0]);
  });

  it('offers only versions that all chosen devices can go back to', async () => {
    const options = async (ids: number[]) => (await world.east.call(calls.rollbackOption, { ids: ids.join(',') })).data;
    const one = await addDevice(api, world.eastId, { version: '03.02.01', version_past: '3.1.0' });
    expect(await options([one.id])).toMatchObject({
      '03.01.00': '03.01.00 · 网关上保留，无需下载',
      '02.00.00': expect.stringContaining('修复若干问题'),
    });
    const other = await addDevice(api, world.eastId, { version: '03.02.01', version_past: null });
    expect(Object.keys(await options([one.id, other.id]))).toEqual(['02.00.00']);
    const foreign = await addDevice(api, world.westId);
    expect(await options([one.id, foreign.id])).toEqual({});
  });

  it('fails with the reason if the gateway does not have the version', async () => {
    const { id, gateway } = await newGateway({ version: '04.00.00', previous: '03.02.01' });
    gateway.firmware.previous = undefined;
    await back([id], '3.2.1');
    await becomes(id, 'failed');
    expect(await devicesOf((await lastCampaign()).id)).toMatchObject([{ reason: '网关上没有该版本' }]);
  });
});

describe('an upgrade estimate', () => {
  const notesOf = async (ids: number[], version = '04.00.00', lang = 'zh') =>
    (await world.east.call(calls.estimate, { ids: ids.join(','), version, lang })).data.notes;

  it('shows bytes, time by link, waves, and which devices would wait or be refused', async () => {
    const size = (await world.admin.call(firmwareCalls.list, { version: '04.00.00' })).data.list[0]?.size ?? 0;
    const ids = [
      (await addDevice(api, world.eastId)).id,
      (await addDevice(api, world.eastId, { network: 'l_band' })).id,
      (await addDevice(api, world.eastId, { online_state: 0 })).id,
      (await addDevice(api, world.eastId, { version: '07.00.00' })).id,
    ];
    expect(await notesOf(ids)).toEqual([
      { text: `每台下载 ${size} B，共 3 台，合计 ${size * 3} B` },
      { text: '6D链路 1 台，每台约 1秒' },
      { text: '1 台在L波段链路：不在此链路下载，切换到其他链路后继续', tone: 'warning' },
      { text: '1 台离线：上线后继续', tone: 'warning' },
      { text: '分批进行：1 + 1 + 1 台；任一批失败超过20%时自动暂停' },
      { text: expect.stringMatching(/^1 台将跳过（.+）：目标版本 04\.00\.00 不高于当前版本 07\.00\.00$/), tone: 'warning' },
    ]);
    expect((await notesOf(ids, '08.00.00', 'en')).map((n) => n.text)).toEqual([
      expect.stringMatching(/^4 will be skipped \(.+\): Version 08\.00\.00 does not exist or does not fit this device$/),
    ]);
    const foreign = await addDevice(api, world.westId);
    expect(await notesOf([foreign.id])).toEqual([]);
  });
});
