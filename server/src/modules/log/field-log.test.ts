import { assignLogCalls } from '@farlink/contract/device/assign-log.ts';
import { fenceStatusSendCalls } from '@farlink/contract/device/fence-status-send.ts';
import { errors } from '@farlink/contract/errors.ts';
import { exportState } from '@farlink/contract/export/export.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { apLinkLogCalls } from '@farlink/contract/log/ap-link-log.ts';
import { dockerExportCalls } from '@farlink/contract/log/docker-export-log.ts';
import { dockerCalls } from '@farlink/contract/log/docker-log.ts';
import { linkLogCalls } from '@farlink/contract/log/link-log.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { wanChangeLogCalls } from '@farlink/contract/log/wan-change-log.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { assignExports } from './assign-log.ts';
import { dockerExports } from './docker-log.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let east = 0;
let child = 0;
let west = 0;
let now: number;
const day = 86_400;

const lists: readonly (Endpoint & { path: string })[] = [
  linkLogCalls.list,
  apLinkLogCalls.list,
  wanChangeLogCalls.list,
  fenceStatusSendCalls.list,
  assignLogCalls.list,
  dockerCalls.list,
];

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  now = api.clock.now();
  const ships = await api.db
    .insertInto('device')
    .values([
      { agent_id: world.eastId, name: '东一', sn: 'E-1', create_at: 1, online_state: 1, docker_status: 1 },
      { agent_id: world.childId, name: '东二', sn: 'C-1', create_at: 1, online_state: 1, docker_status: 3 },
      { agent_id: world.westId, name: '西一', sn: 'W-1', create_at: 1, online_state: 0, docker_status: 2 },
    ])
    .returning('id')
    .execute();
  [east = 0, child = 0, west = 0] = ships.map((s) => s.id);
  const positions = [
    { agent_id: world.eastId, device_id: east, sn: 'E-1', create_at: now - 10 },
    { agent_id: world.childId, device_id: child, sn: 'C-1', create_at: now - day },
    { agent_id: world.westId, device_id: west, sn: 'W-1', create_at: now - 20 },
  ] as const;
  const [e, c, w] = positions;
  const link = { link: 'lte2', network: 'lte', link_state: 'abnormal', state_before: 'on', ip: '10.9.1.2', quality: 15, rtt: 800 } as const;
  await api.db
    .insertInto('wan_link_log')
    .values([
      { ...e, ...link },
      { ...c, link: '6d', network: '6d', link_state: 'on', duration: 3600 },
      { ...w, link: 'l_band', network: 'l_band', link_state: 'off', duration: 5 },
    ])
    .execute();
  await api.db
    .insertInto('wan_change')
    .values([
      {
        ...e,
        source: 'wan',
        from_link: '6d',
        to_link: 'l_band',
        network: 'l_band',
        link_state: 'on',
        change_mode: 'backup',
        reason: 'rain',
      },
      {
        ...e,
        source: 'send',
        from_link: 'l_band',
        to_link: 'low_orbit',
        network: 'low_orbit',
        change_mode: 'roaming',
        link_lock: 'second_satellite',
        reason: 'no such link',
        result: 'fail',
        operator: '张三',
      },
      { ...w, source: 'wan', network: 'unknown', reason: '船长说的', link_state: 'off' },
    ])
    .execute();
  await api.db
    .insertInto('fence_change')
    .values([
      { ...e, fence_name: '渤海湾', fence_state: 'in', longitude: 119.123456, latitude: -0.5, action: 'fence', network: '6d' },
      { ...c, fence_name: '长江口', fence_state: 'out', network: 'lte' },
      { ...w, fence_name: '渤海湾', fence_state: 'out', network: 'lte' },
    ])
    .execute();
  await api.db
    .insertInto('ap_link_log')
    .values([
      { ...e, ap_name: 'bridge', ap_mac: 'aa:00:00:00:00:01', ap_ip: '192.168.1.11', ap_state: 'offline', notified: true, duration: 40 },
      { ...c, ap_name: 'mess', ap_mac: 'aa:00:00:00:00:02', ap_state: 'up' },
      { ...w, ap_name: 'deck', ap_state: 'up', duration: 7 },
    ])
    .execute();
  await api.db
    .insertInto('docker_log')
    .values([
      {
        ...e,
        container: 'portal',
        image: 'p:1',
        docker_status: 1,
        action: 'start',
        cpu: 4,
        memory: 1024,
        content: '=1+1',
        result: 'success',
        operator: '张三',
      },
      { ...c, container: 'mail', docker_status: 2, content: 'no answer', result: 'fail' },
      { ...w, container: 'ghost', docker_status: 2, result: 'success' },
    ])
    .execute();
  const given = { username: 'root', role_id: 4, role_name: '网关管理', operator: '李四', ip: '10.0.0.9' };
  await api.db
    .insertInto('role_assign_log')
    .values([
      { ...e, ...given, before: '{}', after: '{"wifi":"11"}', result: 'success' },
      { ...c, ...given, role_id: 5, result: 'fail', message_zh: '网关离线', message_en: 'The gateway is offline', operator: '王五' },
      { ...w, ...given, result: 'success' },
    ])
    .execute();
});
afterAll(() => api.close());

const rowsIn = (data: unknown): readonly { readonly sn: string }[] =>
  typeof data === 'object' && data !== null && 'list' in data && Array.isArray(data.list) ? data.list : [];

const sns = async (by: Caller, call: Endpoint, input: object = {}) => {
  const { data, code } = await by.call(call, { ...input });
  expect(code, JSON.stringify(data)).toBe(0);
  return rowsIn(data).map((row) => row.sn);
};

describe('every device log', () => {
  it('shows only rows of the own branch, newest first, and filters by VNO, device and SN', async () => {
    for (const call of lists) {
      const isChange = call === wanChangeLogCalls.list;
      expect(await sns(world.admin, call), call.path).toEqual(isChange ? ['E-1', 'E-1', 'W-1'] : ['E-1', 'W-1', 'C-1']);
      expect(await sns(world.east, call), call.path).toEqual(isChange ? ['E-1', 'E-1'] : ['E-1', 'C-1']);
      expect(await sns(world.east, call, { vno_id: world.westId })).toEqual([]);
      expect(await sns(world.east, call, { device_id: west })).toEqual([]);
      expect(await sns(world.admin, call, { device_id: west })).toEqual(['W-1']);
      expect(await sns(world.admin, call, { sn: 'w-' })).toEqual(['W-1']);
      expect(await sns(world.admin, call, { vno_id: world.westId })).toEqual(['W-1']);
    }
  });

  it('accepts a time range of at most three months', async () => {
    for (const call of lists) {
      const reply = await world.admin.call(call, { create_at_start: now - 100 * day, create_at_end: now });
      expect(reply.data, call.path).toEqual({ fields: { create_at_end: '查询时间跨度不能超过3个月' } });
      expect(await sns(world.admin, call, { create_at_start: now - 15, create_at_end: now })).toContain('E-1');
      expect(await sns(world.admin, call, { create_at_start: now - 15, create_at_end: now })).not.toContain('W-1');
    }
  });

  it('shows a role with a device list only the rows of these devices', async () => {
    const pages = ['link_log', 'ap_link_log', 'wan_change_log', 'link_switch_send', 'fence_status_send', 'assign_log', 'docker_log'];
    const role = await makeRole(world.east, '一船', grantsOf(pages), { scope: 'device', device_limit: 'specified', device_ids: [child] });
    await makeStaff(world.east, 'one_ship', role);
    const one = await api.login('one_ship');
    for (const call of lists) expect(await sns(one, call), call.path).toEqual(call === wanChangeLogCalls.list ? [] : ['C-1']);
  });

  it('keeps rows at the former VNO after a transfer, and does not show it the new device name', async () => {
    const moved = { agent_id: world.westId, name: '西二（原东一）' };
    await api.db.updateTable('device').set(moved).where('id', '=', east).execute();
    for (const call of lists) {
      const { data } = await world.east.call(call, { sn: 'E-1' });
      expect(data, call.path).toMatchObject({ list: expect.arrayContaining([expect.objectContaining({ sn: 'E-1', device_name: null })]) });
      expect(await sns(world.west, call)).toEqual(['W-1']);
    }
    await api.db.updateTable('device').set({ agent_id: world.eastId, name: '东一' }).where('id', '=', east).execute();
  });
});

describe('the link log', () => {
  it('shows changes in the language of the reader', async () => {
    const [row] = (await world.east.call(linkLogCalls.list, { link_state: 'abnormal' })).data.list;
    expect(row).toMatchObject({
      device_id: east,
      device_name: '东一',
      link: 'LTE 2',
      network: 'lte',
      ip: '10.9.1.2',
      duration: null,
      agent_name: 'VNO east',
      message: '由已连接变为异常，信号质量15%，时延800 ms',
    });
    const [en] = (await world.east.call(linkLogCalls.list, { network: '6d', lang: 'en' })).data.list;
    expect(en).toMatchObject({ link: '6D', duration: 3600, message: 'First report' });
    expect(await sns(world.admin, linkLogCalls.list, { orderby: 'duration asc' })).toEqual(['W-1', 'C-1', 'E-1']);
  });
});

describe('the link switch logs', () => {
  it('distinguish switches made by the gateway from those sent by the platform', async () => {
    const [wan] = (await world.east.call(wanChangeLogCalls.list, { source: 'wan' })).data.list;
    expect(wan).toMatchObject({
      from_link: '6D',
      to_link: 'L-Band',
      network: 'l_band',
      link_state: 'on',
      change_mode: 'backup',
      source: 'wan',
      reason: '雨衰',
      operator: null,
    });
    const { list } = (await world.east.call(wanChangeLogCalls.list, { source: 'send', lang: 'en' })).data;
    expect(list).toMatchObject([
      { to_link: 'LEO', link_lock: 'second_satellite', reason: 'The device does not have this link', result: 'fail', operator: '张三' },
    ]);
    const [odd] = (await world.west.call(wanChangeLogCalls.list)).data.list;
    expect(odd).toMatchObject({ to_link: null, reason: '船长说的' });
    const total = async (input: object) => (await world.east.call(wanChangeLogCalls.list, { ...input })).data.total;
    expect(await total({})).toBe(2);
    expect(await total({ change_mode: 'roaming' })).toBe(1);
    expect(await total({ link_lock: 'global' })).toBe(0);
    expect(await total({ result: 'fail', network: 'low_orbit', source: 'send' })).toBe(1);
    expect(await total({ link_state: 'on', source: 'wan' })).toBe(1);
  });

  it('each require the right to their own page', async () => {
    const role = await makeRole(world.east, '仅下发', grantsOf(['link_switch_send']));
    await makeStaff(world.east, 'only_sent', role);
    const one = await api.login('only_sent');
    expect((await one.call(wanChangeLogCalls.list)).data.list.map((row) => row.source)).toEqual(['send']);
    expect((await one.call(wanChangeLogCalls.list, { source: 'wan' })).code).toBe(errors.denied.code);
  });
});

describe('the fence log and the AP log', () => {
  it('return the rows that match their filters', async () => {
    const [row] = (await world.east.call(fenceStatusSendCalls.list, { fence_name: '渤海', fence_state: 'in', lang: 'en' })).data.list;
    expect(row).toMatchObject({ longitude: '119.12346', latitude: '-0.50000', action: 'Fence', network: '6d' });
    expect(await sns(world.admin, fenceStatusSendCalls.list, { fence_name: '渤海', fence_state: 'out' })).toEqual(['W-1']);

    const [ap] = (await world.east.call(apLinkLogCalls.list, { ap_mac: 'AA:00:00:00:00:01' })).data.list;
    expect(ap).toMatchObject({ ap_name: 'bridge', ap_ip: '192.168.1.11', ap_state: 'offline', notified: true, duration: 40 });
    expect(await sns(world.admin, apLinkLogCalls.list, { ap_name: 'me', ap_state: 'up' })).toEqual(['C-1']);
    expect(await sns(world.admin, apLinkLogCalls.list, { orderby: 'ap_name desc' })).toEqual(['C-1', 'W-1', 'E-1']);
  });
});

const work = async () => {
  const runner = startJobs(api.deps, exportJobs({ ...dockerExports, ...assignExports }), { pollMs: 0, graceMs: 50, beatMs: 60_000 });
  await runner.tick();
  await runner.stop();
};
const fetchFile = async (by: Caller, id: number) => {
  const { token = '' } = by.session ?? {};
  return (await fetch(`${api.base}/agt/v1/export/download/${id}`, { headers: { authorization: token } })).text();
};

describe('the permission allocation log', () => {
  it('shows account, role, operator and failure reason, and filters by role and operator', async () => {
    const [row] = (await world.east.call(assignLogCalls.list, { result: 'fail', lang: 'en' })).data.list;
    expect(row).toMatchObject({
      username: 'root',
      role_name: '网关管理',
      message: 'The gateway is offline',
      operator: '王五',
      ip: '10.0.0.9',
    });
    expect(await sns(world.east, assignLogCalls.list, { role_id: 4 })).toEqual(['E-1']);
    expect(await sns(world.east, assignLogCalls.list, { operator: '王' })).toEqual(['C-1']);
  });

  it('is exported with its filters, and an empty export is refused', async () => {
    expect((await world.east.call(assignLogCalls.export, { operator: '无人' })).code).toBe(errors.export_empty.code);
    const { data } = await world.east.call(assignLogCalls.export, { operator: '李四', format: 'csv' });
    await work();
    const text = await fetchFile(world.east, data.job_id);
    expect(text).toContain('东一,E-1,root,网关管理');
    expect(text).not.toContain('W-1');
    const { list } = (await world.east.call(assignLogCalls.exports)).data;
    expect(list).toMatchObject([{ job_id: String(data.id), status: 1, total: 1, condition: '操作人: 李四', agent_name: 'VNO east' }]);
    expect((await world.west.call(assignLogCalls.exports)).data.total).toBe(0);
  });
});

describe('the Docker log', () => {
  it('returns the rows that match its filters', async () => {
    const [row] = (await world.east.call(dockerCalls.list, { action: 'start' })).data.list;
    expect(row).toMatchObject({
      container: 'portal',
      image: 'p:1',
      docker_status: 1,
      cpu: 4,
      memory: 1024,
      operator: '张三',
      result: 'success',
    });
    const [failed] = (await world.east.call(dockerCalls.list, { docker_status: 2, container: 'MAI', lang: 'en' })).data.list;
    expect(failed).toMatchObject({ result: 'fail', content: 'The gateway did not reply in time' });
    expect(await sns(world.admin, dockerCalls.list, { orderby: 'container asc' })).toEqual(['W-1', 'C-1', 'E-1']);
  });

  it('collects data from devices that can reply, and returns the reason for each other device', async () => {
    expect((await world.admin.call(dockerCalls.collect, {})).data).toEqual({ fields: { device_ids: '请选择设备' } });
    expect((await world.admin.call(dockerCalls.collect, { device_ids: [east], container: 'a b' })).data).toHaveProperty('fields.container');
    const { data } = await world.admin.call(dockerCalls.collect, { device_ids: [east, child, west], container: 'portal' });
    expect(data).toEqual({
      success: 1,
      fail: 2,
      list: [
        { id: east, success: true, message: '', name: '东一' },
        { id: child, success: false, message: errors.docker_unavailable.text[0], name: '东二' },
        { id: west, success: false, message: errors.device_offline.text[0], name: '西一' },
      ],
    });
    const commands = await api.db.selectFrom('device_command').selectAll().execute();
    expect(commands).toMatchObject([
      {
        device_id: east,
        op: 'docker.info',
        args: { container: 'portal' },
        operator: '系统管理员',
        uid: world.admin.session?.uid,
        deadline: now + 600,
      },
    ]);
    const output = (await world.admin.call(logCalls.own, { content: 'Docker信息', action: 'command' })).data.list;
    expect(output.map((row) => [row.content, row.result])).toEqual([
      ['采集 西一 的Docker信息', 'fail'],
      ['采集 东二 的Docker信息', 'fail'],
      ['采集 东一 的Docker信息', 'success'],
    ]);
  });

  it('does not collect data from a device of another VNO or with an expired authorization', async () => {
    const stranger = await world.west.call(dockerCalls.collect, { device_ids: [east] });
    expect(stranger.data).toMatchObject({ success: 0, fail: 1, list: [{ id: east, success: false, message: '数据不存在' }] });
    expect(JSON.stringify(stranger.data)).not.toContain('东一');
    await api.db.updateTable('device').set({ auth_expire_at: now }).where('id', '=', east).execute();
    const ended = await world.east.call(dockerCalls.collect, { device_ids: [east] });
    expect(ended.data.list[0]?.message).toBe(errors.device_unauthorized.text[0]);
  });
});

describe('the Docker export log', () => {
  it('shows the exports of the branch with their filters, and the file only to the requester', async () => {
    expect((await world.west.call(dockerCalls.export, { container: 'nowhere' })).code).toBe(errors.export_empty.code);
    const { data } = await world.east.call(dockerCalls.export, { device_id: east, container: 'port', format: 'csv' });
    await work();
    const text = await fetchFile(world.east, data.job_id);
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain("东一,E-1,portal,p:1,正常,启动,4,1024,'=1+1,成功,张三,VNO east");
    const [own] = (await world.east.call(dockerExportCalls.list)).data.list;
    expect(own).toMatchObject({
      id: data.id,
      job_id: String(data.id),
      status: 1,
      progress: 100,
      total: 1,
      operator: '测试人',
      agent_name: 'VNO east',
      file_url: `export/download/${data.id}`,
      condition: '设备: 东一; 容器名称: port',
    });
    const [above] = (
      await world.admin.call(dockerExportCalls.list, { vno_id: world.eastId, status: 1, file_name: 'Docker', operator: '测试' })
    ).data.list;
    expect(above).toMatchObject({ id: data.id, file_url: null });
    expect((await world.west.call(dockerExportCalls.list)).data.total).toBe(0);
  });

  it('retries a failed export with the rights of its requester', async () => {
    const { data } = await world.east.call(dockerCalls.export, { format: 'csv' });
    expect((await world.admin.call(dockerExportCalls.retry, { id: data.id })).code).toBe(errors.wrong_state.code);
    await work();
    await api.db
      .updateTable('export_task')
      .set({ state: exportState.id('upload_failed'), message_zh: '存储已满', message_en: 'full' })
      .where('id', '=', data.id)
      .execute();
    expect((await world.west.call(dockerExportCalls.retry, { id: data.id })).code).toBe(errors.not_found.code);
    expect((await world.admin.call(dockerExportCalls.retry, { id: data.id })).data).toEqual({ id: data.id, job_id: data.id });
    expect((await world.east.call(dockerExportCalls.list)).data.list[0]).toMatchObject({ status: 0, message: null });
    await work();
    // The export uses the rights of its operator: the platform sees three rows, this VNO two.
    expect((await world.east.call(dockerExportCalls.list)).data.list[0]).toMatchObject({ id: data.id, status: 1, total: 2 });
    expect(await fetchFile(world.east, data.id)).toContain('portal');
    await api.db
      .updateTable('export_task')
      .set({ state: exportState.id('upload_failed') })
      .where('id', '=', data.id)
      .execute();
    expect((await world.east.call(dockerExportCalls.retry, { id: data.id, format: 'xlsx' })).code).toBe(0);
    await work();
    expect((await world.east.call(dockerExportCalls.list)).data.list[0]?.file_name).toMatch(/\.xlsx$/);
    expect(await fetchFile(world.admin, data.id)).toContain('"code":10005');
  });

  it('deletes exports that are not running, one or many, but none that the session cannot see', async () => {
    const ids: number[] = [];
    for (const _ of [1, 2, 3]) ids.push((await world.east.call(dockerCalls.export, {})).data.id);
    const [waiting = 0, running = 0, other = 0] = ids;
    await api.db
      .updateTable('export_task')
      .set({ state: exportState.id('generating') })
      .where('id', '=', running)
      .execute();
    expect((await world.west.call(dockerExportCalls.remove, { id: waiting })).code).toBe(errors.not_found.code);
    expect((await world.east.call(dockerExportCalls.remove, { id: running })).code).toBe(errors.wrong_state.code);
    expect((await world.east.call(dockerExportCalls.remove, { id: waiting })).code).toBe(0);
    const { data } = await world.east.call(dockerExportCalls.removeMany, { ids: [running, other].join(',') });
    expect(data).toMatchObject({ success: 1, fail: 1 });
    const left = await api.db.selectFrom('export_task').select('id').where('id', 'in', ids).execute();
    expect(left.map((task) => task.id)).toEqual([running]);
    const jobs = await api.db
      .selectFrom('job')
      .select('state')
      .where('key', 'in', [`export:${waiting}`, `export:${other}`])
      .execute();
    expect(jobs.map((job) => job.state)).toEqual(['cancelled', 'cancelled']);
    const assigned = await world.east.call(assignLogCalls.export, {});
    expect((await world.east.call(dockerExportCalls.remove, { id: assigned.data.id })).code).toBe(errors.not_found.code);
  });
});
