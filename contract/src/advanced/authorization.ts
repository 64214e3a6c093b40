import { calls } from '../kit/endpoint.ts';
import { choice, int, longText, option, progress, text, time } from '../kit/field.ts';
import { machine } from '../kit/machine.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

/** A code bought from the platform and redeemed once. It allows a number of sub job numbers until it expires. */
export const licenseState = machine(
  {
    unused: { id: 'unused', label: ['未使用', 'Unused'], color: 'blue' },
    used: { id: 'used', label: ['已使用', 'Used'], color: 'green' },
    expired: { id: 'expired', label: ['已过期', 'Expired'], color: 'orange' },
  },
  { activate: { from: ['unused'], to: 'used' } },
);

const fields = {
  auth_code: text(['授权码', 'Authorization code'], {
    required: true,
    rules: [rules.word_128],
    sort: true,
    tooltip: true,
    mono: true,
    width: 220,
  }),
  name: text(['授权项', 'Item']),
  total: int(['授权数量', 'Quantity'], { sort: true }),
  used: int(['已用数量', 'Used'], { sort: true }),
  usage: progress(['使用进度', 'Usage']),
  state: choice(['状态', 'State'], licenseState.options),
  job_name: text(['所属工号', 'Job number']),
  activate_at: time(['激活时间', 'Activated at'], { sort: true }),
  expire_at: time(['到期时间', 'Expires at'], { sort: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const authorization = resource({
  fields,
  title: ['name', 'auth_code'],
  columns: ['auth_code', 'name', 'total', 'used', 'usage', 'state', 'job_name', 'activate_at', 'expire_at', 'agent_name'],
  filters: ['auth_code', 'state', 'activate_at', 'expire_at', 'vno_id'],
  orderby: 'activate_at desc',
});

const forms = {
  activate: form(['激活授权码', 'Activate authorization code'], {
    auth_code: fields.auth_code,
    remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes] }),
  }),
};

export const authorizationCalls = calls('advanced', ['authorization_manage'], {
  list: { kind: 'list', path: 'agent/authorize', summary: ['查询授权', 'List authorizations'], resource: authorization },
  activate: {
    kind: 'command',
    path: 'agent/authorize',
    summary: ['激活授权码', 'Activate an authorization code'],
    input: forms.activate.fields,
  },
});

export const authorizationManage = page({
  ...headOf('authorizationManage'),
  resource: authorization,
  list: authorizationCalls.list,
  forms,
  actions: { activate: { on: 'toolbar', label: ['激活授权码', 'Activate code'], call: authorizationCalls.activate, form: 'activate' } },
});
