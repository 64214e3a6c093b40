import { calls } from '../kit/endpoint.ts';
import { choice, int, link, option, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { appMode } from '../package/choices.ts';
import { references } from '../references.ts';
import { customPolicy, policyResult, policySource } from '../user/choices.ts';

export const userAppLogResource = resource({
  fields: {
    account: text(['上网账号', 'Online account'], { sort: true, match: 'code', tooltip: true, mono: true, to: references.account }),
    device_name: link(['设备名称', 'Device'], { tooltip: true, width: 180, to: references.device }),
    sn: text(['设备SN', 'SN'], { mono: true, hiddenByDefault: true }),
    policy_source: choice(['策略来源', 'Policy source'], policySource, { width: 150 }),
    application_name: text(['应用模板', 'Application template'], { tooltip: true, width: 170, to: references.appTemplate }),
    policy_name: text(['信控模板', 'Credit control template'], { tooltip: true, hiddenByDefault: true, to: references.controlTemplate }),
    mode: choice(['控制方式', 'Mode'], appMode),
    custom_policy: choice(['自定义策略', 'Custom policy'], customPolicy),
    content: text(['策略内容', 'Policy'], { tooltip: true, hiddenByDefault: true, width: 260 }),
    result: choice(['结果', 'Result'], policyResult, { width: 110 }),
    message: text(['失败原因', 'Reason'], { tooltip: true, hiddenByDefault: true }),
    operator: text(['操作人', 'Operator']),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
    create_at: time(['变更时间', 'Changed at'], { sort: true, months: limits.queryMonths }),
    device_id: option(['设备', 'Device'], 'device/option'),
    application_id: option(['应用模板', 'Application template'], 'application/option'),
    policy_id: option(['信控模板', 'Credit control template'], 'policy/option'),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['account', 'device_name'],
  columns: [
    'account',
    'device_name',
    'sn',
    'policy_source',
    'application_name',
    'policy_name',
    'mode',
    'custom_policy',
    'content',
    'result',
    'message',
    'operator',
    'agent_name',
    'create_at',
  ],
  filters: ['account', 'device_id', 'policy_source', 'result', 'create_at', 'application_id', 'policy_id', 'custom_policy', 'vno_id'],
  orderby: 'create_at desc',
});

export const userAppLogCalls = calls('log', ['user_app_log'], {
  list: {
    kind: 'list',
    path: 'user/app_log',
    summary: ['查询用户策略日志', 'List policy changes of users and their delivery'],
    resource: userAppLogResource,
    /** Log of one subscriber. */
    input: { user_id: int(['用户', 'User'], { hidden: true }) },
  },
});

export const userAppLog = page({
  ...headOf('userAppLog'),
  resource: userAppLogResource,
  list: userAppLogCalls.list,
  forms: {},
  actions: {},
});
