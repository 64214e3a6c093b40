import { deviceStatusNotifyCalls } from '@farlink/contract/advanced/device-status-notify.ts';
import { auditRevealCalls } from '@farlink/contract/audit/audit-reveal.ts';
import { configCampaignCalls } from '@farlink/contract/config/campaign.ts';
import { configCalls, keptSecret } from '@farlink/contract/config/config.ts';
import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { variableCalls } from '@farlink/contract/config/variable.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { groupCalls } from '@farlink/contract/device/group.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import { callName, type Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { describe, expect, it } from 'vitest';
import { differencesOf } from './differences.ts';

/** Label, value before and value after of each line, in both languages. */
const shown = (call: Endpoint, before: Values | null, after: Values | null) =>
  (['zh', 'en'] as const).map((lang) =>
    differencesOf({ call: callName(call), module: call.module, before, after }, lang).map((d) => [d.label, d.before, d.after].join(' | ')),
  );

describe('the details of an operator-log line', () => {
  it('name the number of deleted keys', () => {
    expect(shown(auditRevealCalls.forget, null, { keys: 3 })).toEqual([['删除密钥数 |  | 3'], ['Keys deleted |  | 3']]);
  });

  it('show choices by their labels and times in UTC+8', () => {
    const before = { auth_status: 'formal', auth_expire_at: null };
    expect(shown(deviceCalls.authorize, before, { auth_status: 'test', auth_expire_at: 1797642624 })).toEqual([
      ['授权类型 | 正式授权 | 测试授权', '授权到期日 |  | 2026-12-19 09:10:24'],
      ['Authorization | Licensed | Test', 'Authorized until |  | 2026-12-19 09:10:24'],
    ]);
  });

  it('have the labels of the call, not those of another call of the module', () => {
    expect(shown(groupCalls.create, null, { name: '评审组', device_ids: [34, 35, 36] })).toEqual([
      ['设备组名称 |  | 评审组', '组内设备 |  | #34、#35、#36'],
      ['Group name |  | 评审组', 'Devices |  | #34, #35, #36'],
    ]);
    expect(shown(templateCalls.create, null, { name: '近海' })[0]).toEqual(['模板名称 |  | 近海']);
    expect(shown(variableCalls.create, null, { name: 'net' })[1]).toEqual(['Name |  | net']);
  });

  it('show lists of choices, and the states of tasks', () => {
    const rule = { status: 1, device_id: 34, events: ['online'] };
    expect(shown(deviceStatusNotifyCalls.update, rule, { status: 0, device_id: 35, events: ['online', 'offline'] })).toEqual([
      ['状态 | 启用 | 禁用', '设备 | #34 | #35', '通知事件 | 设备上线 | 设备上线、设备离线'],
      ['Status | Enabled | Disabled', 'Device | #34 | #35', 'Events | Device online | Device online, Device offline'],
    ]);
    expect(shown(fileTaskCalls.pause, { state: 'running' }, { state: 'paused' })).toEqual([
      ['任务状态 | 下发中 | 已暂停'],
      ['Task state | Running | Paused'],
    ]);
    const campaign = { template: '近海', campaign_id: 7, withdrawn: 3, pages: ['advanced_syslog'] };
    expect(shown(configCampaignCalls.start, null, campaign)).toEqual([
      ['模板 |  | 近海', '批量任务 |  | #7', '撤回的设备数 |  | 3', '配置页面 |  | 日志设置'],
      ['Template |  | 近海', 'Campaign |  | #7', 'Devices withdrawn |  | 3', 'Configuration pages |  | Logging'],
    ]);
  });

  it('show one line per field of a configuration page, with the labels of the page', () => {
    const after = {
      advanced_device_info: { vessel_name: 'Sea' },
      ac_ssid: { s1: { ssid: 'crew', wpa: 'wpa2_wpa3', remark: null } },
      network_lan: { 'lan.ipaddr': '10.0.0.1' },
      network_wan: { 'wan1.pppoe_password': keptSecret },
    };
    const before = {
      advanced_device_info: { vessel_name: null },
      ac_ssid: { s1: null },
      network_lan: { 'lan.ipaddr': '10.0.0.2' },
      network_wan: { 'wan1.pppoe_password': keptSecret },
    };
    expect(shown(configCalls.apply, before, { ...after, note: 'Port' })).toEqual([
      [
        '设备信息 · 船名 |  | Sea',
        '无线网络 · s1 · 无线名称（SSID） |  | crew',
        '无线网络 · s1 · WPA版本 |  | WPA2/WPA3混合',
        'LAN设置 · lan · 网关地址/掩码 | 10.0.0.2 | 10.0.0.1',
        'WAN设置 · wan1 · PPPoE密码 | 已设置 | 已变更',
        '说明 |  | Port',
      ],
      [
        'Device identity · Vessel name |  | Sea',
        'SSIDs · s1 · SSID |  | crew',
        'SSIDs · s1 · WPA version |  | WPA2/WPA3 mixed',
        'LAN · lan · Gateway address and prefix | 10.0.0.2 | 10.0.0.1',
        'WAN · wan1 · PPPoE password | Set | Changed',
        'Note |  | Port',
      ],
    ]);
  });

  it('show one line per changed field of a template', () => {
    const part = (local_size: number) => ({ sections: { advanced_syslog: { set: { local_size, enabled: true } } } });
    expect(shown(templateCalls.update, part(64), part(128))).toEqual([
      ['日志设置 · 本地日志上限 | 64 MB | 128 MB'],
      ['Logging · Local log limit | 64 MB | 128 MB'],
    ]);
  });

  it('show only the changed permissions of a role', () => {
    const before = { permissions: { device_list: '11', system_log: '00' } };
    const after = { permissions: { device_list: '11', system_log: '10' } };
    expect(shown(staffRoles.calls.update, before, after)).toEqual([
      ['页面与操作权限 | 操作日志: 不可见 | 操作日志: 仅查看'],
      ['Page and operation permissions | Operator log: Invisible | Operator log: Show only'],
    ]);
  });

  it('of an older line without a call have the labels of the module and the stored values', () => {
    const line = { call: null, module: 'device', before: { auth_status: 'formal' }, after: { auth_status: 'test', ids: [1, 2] } } as const;
    expect(differencesOf(line, 'en')).toEqual([
      { field: 'auth_status', label: 'Authorization', before: 'formal', after: 'test' },
      { field: 'ids', label: 'rows', before: null, after: '[1,2]' },
    ]);
  });

  it('show any stored value of any field', { tags: 'all' }, () => {
    const values: readonly unknown[] = [
      { toString: 1 },
      [{ toString: 1 }],
      [[1]],
      1e300,
      -1,
      'x',
      true,
      null,
      [null],
      { a: { toString: 1 } },
    ];
    for (const page of gatewayPages.values())
      for (const name of Object.keys(page.fields))
        for (const value of values)
          for (const change of [{ [name]: value }, { row: { [name]: value } }])
            expect(shown(configCalls.resolveDrift, { [page.key]: change }, { [page.key]: {} }).flat()).toEqual(expect.any(Array));
    for (const call of endpoints)
      for (const name of Object.keys(call.input ?? {})) for (const value of values) shown(call, { [name]: value }, null);
  });
});
