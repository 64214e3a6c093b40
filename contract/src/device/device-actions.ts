import { text } from '../kit/field.ts';
import { type Action, form } from '../kit/page.ts';
import type { AnyRow } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import { rules } from '../rules.ts';
import { vnoCalls } from '../vno/vno.ts';
import { deviceActionGroups } from './action-groups.ts';
import { deviceCalls } from './device.ts';
import { authFields, editFields, groupField, liftFields, portalFields, replaceFields } from './device-fields.ts';
import { devicePortalCalls } from './portal.ts';

/** Forms of device actions, for the list and the detail page. */
export const deviceForms = {
  edit: form(['编辑设备', 'Edit device'], editFields),
  setGroup: form(['设置设备组', 'Set group'], groupField),
  replace: form(['更换设备', 'Replace device'], {
    sn: text(['原设备SN', 'Current SN'], { readonly: true, rules: [rules.sn], max: 64, mono: true }),
    ...replaceFields,
  }),
  auth: form(['修改授权', 'Modify authorization'], authFields),
  lift: form(['解除授权暂停', 'Lift suspension'], liftFields),
  portal: { ...form(['设置门户', 'Set portal'], portalFields), preview: devicePortalCalls.estimate },
};

export const passwordForm = form(['设备登录密码', 'Device login password'], {
  password: vnoCalls.devicePwd.input.password,
  repassword: vnoCalls.devicePwd.input.repassword,
});

const isOnline = (row: AnyRow) => row.online_state === 1;
const isOffline = (row: AnyRow) => row.online_state === 0;
const mustBeOnline: Text = ['设备须在线', 'The device must be online'];
const mustBeOffline: Text = ['设备须离线', 'The device must be offline'];

/** Optimistic locking uses the revision, because `version` is the firmware of a device. */
const revision = { version: ':revision' };

export const deviceActions = {
  edit: {
    on: 'row',
    label: ['编辑', 'Edit'],
    group: deviceActionGroups.settings,
    call: deviceCalls.change,
    form: 'edit',
    params: revision,
  },
  replace: {
    on: 'row',
    label: ['更换设备', 'Replace'],
    group: deviceActionGroups.binding,
    call: deviceCalls.change,
    form: 'replace',
    params: { ...revision, operate: 'replace' },
    when: isOffline,
    why: mustBeOffline,
  },
  auth: {
    on: 'both',
    label: ['授权', 'Authorize'],
    group: deviceActionGroups.binding,
    call: deviceCalls.authorize,
    form: 'auth',
    when: (row) => row.auth_status !== 'suspended',
    why: ['授权暂停的设备不能修改授权', 'Authorization cannot be modified for devices whose authorization is suspended'],
  },
  lift: {
    on: 'both',
    label: ['解除暂停', 'Lift suspension'],
    group: deviceActionGroups.binding,
    call: deviceCalls.liftSuspension,
    form: 'lift',
    platform: 'admin',
    when: (row) => row.auth_status === 'suspended',
    why: ['仅授权暂停的设备可解除暂停', 'Only for devices whose authorization is suspended'],
  },
  portal: {
    on: 'both',
    label: ['设置门户', 'Set portal'],
    group: deviceActionGroups.settings,
    call: deviceCalls.setPortal,
    form: 'portal',
    when: isOnline,
    why: mustBeOnline,
    done: ['门户已下发，网关确认后生效', 'Portal sent. It takes effect when the gateway confirms.'],
  },
  approve: {
    on: 'both',
    label: ['批准接入', 'Approve'],
    group: deviceActionGroups.binding,
    call: deviceCalls.approve,
    confirm: [
      '批准后，该设备即可凭商户码获取密钥并接入。确定批准吗？',
      'The device can then get its key with the merchant code and connect. Approve?',
    ],
    when: (row) => row.status === 5 || row.status === 6,
    why: ['仅待审批或已拒绝的设备可以批准', 'Only pending or rejected devices can be approved'],
  },
  reject: {
    on: 'both',
    label: ['拒绝接入', 'Reject'],
    group: deviceActionGroups.binding,
    call: deviceCalls.reject,
    danger: true,
    confirm: ['拒绝后，该设备无法接入，之后仍可批准。确定拒绝吗？', 'The device cannot connect. You can still approve it later. Reject?'],
    when: (row) => row.status === 5,
    why: ['仅待审批的设备可以拒绝', 'Only pending devices can be rejected'],
  },
  resetBinding: {
    on: 'row',
    label: ['重置绑定', 'Reset binding'],
    group: deviceActionGroups.binding,
    call: deviceCalls.resetBinding,
    danger: true,
    confirm: [
      '重置后当前设备密钥立即失效，网关须用商户码重新绑定。确定重置吗？',
      'The device key becomes invalid at once. The gateway must bind again with the merchant code. Reset?',
    ],
    when: (row) => row.status === 3 || row.status === 4,
    why: ['仅已重置或重复绑定的设备需要重置绑定', 'Only for devices that were reset or bound more than once'],
  },
  delete: {
    on: 'both',
    label: ['删除', 'Delete'],
    call: deviceCalls.remove,
    preview: deviceCalls.removal,
    danger: true,
    confirm: ['删除设备将解除其绑定关系，且不可恢复。确定删除吗？', 'Deleting a device removes its bindings and cannot be undone. Delete?'],
    when: isOffline,
    why: mustBeOffline,
  },
} as const satisfies Record<string, Action>;
