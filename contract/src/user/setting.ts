import { authCalls } from '../auth/auth.ts';
import { errors } from '../errors.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, option, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { rules } from '../rules.ts';
import { isPlatformSetting, type SettingValues, settingFields, settingGroup } from './setting-fields.ts';

const fields = {
  setting_group: choice(['设置分组', 'Group'], settingGroup, { width: 130 }),
  name: text(['设置项', 'Setting'], { noTruncate: true, width: 170 }),
  value: text(['当前值', 'Value'], { noTruncate: true, width: 150 }),
  scope: text(['生效范围', 'Scope'], { noTruncate: true, width: 170 }),
  description: text(['说明', 'Description'], { noTruncate: true, width: 420 }),
  operator: text(['最近修改人', 'Last changed by'], { width: 130 }),
  update_at: time(['更新时间', 'Updated at'], { sort: true }),
  setting_id: option(['设置项', 'Setting'], 'user/setting/option'),
};

/** One row for each setting of the session's VNO. */
export const userSetting = resource({
  fields,
  title: ['name'],
  columns: ['setting_group', 'name', 'value', 'scope', 'description', 'operator', 'update_at'],
  filters: ['setting_id', 'setting_group'],
  orderby: 'setting_group asc',
});

const { register, passwordRule, login } = settingFields;

export const settingForms = {
  register: form(['注册与实名设置', 'Registration and real-name'], register),
  passwordRule: form(['密码规则', 'Password rule'], passwordRule),
  login: form(['登录设置', 'Login settings'], login),
  item: form(['修改设置项', 'Edit setting'], {
    name: text(['设置项', 'Setting'], { readonly: true }),
    value: text(['设置值', 'Value'], { required: true, rules: [rules.length(1, 128)], max: 128 }),
  }),
};

export const settingCalls = calls('user', ['user_set'], {
  list: { kind: 'list', path: 'user/setting', summary: ['查询用户设置', 'List the user settings'], resource: userSetting },
  values: {
    kind: 'detail',
    path: 'user/setting/values',
    summary: ['用户设置的当前值', 'Current values of the user settings'],
    shape: shape<SettingValues>(),
  },
  option: {
    kind: 'option',
    path: 'user/setting/option',
    access: 'session',
    summary: ['用户设置选项', 'Option list of user settings'],
    shape: shape<Record<string, string>>(),
  },
  update: {
    kind: 'update',
    path: 'user/setting',
    summary: ['修改一组用户设置', 'Change a group of settings'],
    input: { ...register, ...passwordRule, ...login },
    partial: true,
  },
  updateOne: {
    kind: 'update',
    path: 'user/setting/{id}',
    summary: ['修改用户设置', 'Change one setting'],
    input: settingForms.item.fields,
    versioned: true,
  },
});

export const userSet = page({
  ...headOf('userSet'),
  resource: userSetting,
  list: settingCalls.list,
  forms: settingForms,
  actions: {
    register: { on: 'toolbar', label: ['注册设置', 'Registration'], call: settingCalls.update, form: 'register' },
    passwordRule: { on: 'toolbar', label: ['密码规则', 'Password rule'], call: settingCalls.update, form: 'passwordRule' },
    login: { on: 'toolbar', label: ['登录设置', 'Login settings'], call: settingCalls.update, form: 'login' },
    ruleText: { on: 'toolbar', label: ['查看密码规则说明', 'Password rule text'], call: authCalls.passwordRule },
    edit: {
      on: 'row',
      label: ['修改', 'Edit'],
      call: settingCalls.updateOne,
      form: 'item',
      when: (row, me) => me.agent_level === 0 || !isPlatformSetting(row.setting_key),
      why: errors.platform_setting.text,
    },
  },
});
