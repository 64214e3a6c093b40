import { isEmpty } from '../kit/check.ts';
import { bool, choice, date, int, longText, option, password, text, variant } from '../kit/field.ts';
import { bySubject } from '../kit/lookup.ts';
import { across, nowOf } from '../kit/rule.ts';
import type { Values } from '../kit/values.ts';
import { rules } from '../rules.ts';
import { billingType, changeMode, deviceAuth, deviceType, linkLock } from './choices.ts';

export const remarkField = { remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512 }) };

/** A device can only be in a group of its VNO. */
const ofDevice = {
  lookupBy: bySubject,
  lookupParams: { subject: 'device' },
  empty: ['设备的VNO没有设备组，或所选设备属于不同VNO', 'The VNO of the device has no group, or the devices belong to different VNOs'],
} as const;

const both = (other: string) => (values: Values) => !isEmpty(values[other]);

/** Editable fields of a device; some are sent to its gateway. */
export const editFields = {
  name: text(['设备名称', 'Device name'], { required: true, rules: [rules.text_cn_128, rules.no_quotes], max: 128 }),
  device_type: choice(['设备类型', 'Device type'], deviceType, { required: true }),
  device_group_id: option(['设备组', 'Group'], 'device/group/option', ofDevice),
  merchant_code: text(['商户码', 'Merchant code'], {
    rules: [rules.alnum_128],
    max: 128,
    mono: true,
    tips: [
      '未绑定的设备填写VNO的商户码后即归属该VNO；已绑定的设备请用转移更换VNO',
      'Enter a merchant code to assign an unbound device to that VNO. To move a bound device, use transfer.',
    ],
  }),
  device_key: password(['设备密钥', 'Device key'], {
    rules: [rules.no_cn_space, rules.length(16, 64)],
    max: 64,
    tips: [
      '留空表示不修改。设备在线时由平台下发；离线时须在网关上同步填写，旧密钥立即失效',
      'Leave empty to keep it. Online gateways receive the new key. On an offline gateway, enter it by hand. The old key becomes invalid at once.',
    ],
  }),
  proxy_addr: text(['代理地址', 'Proxy address'], { rules: [rules.ipv4], max: 15, mono: true, requiredWhen: both('proxy_port') }),
  proxy_port: int(['代理端口', 'Proxy port'], { rules: [rules.port], requiredWhen: both('proxy_addr') }),
  link_lock: choice(['链路锁定', 'Link lock'], linkLock, {
    default: 'unlocked',
    tips: ['下发到在线网关，网关确认后生效', 'Sent to an online gateway; takes effect when it confirms'],
  }),
  change_mode: choice(['切换模式', 'Change mode'], changeMode, {
    default: 'default',
    tips: ['下发到在线网关，网关确认后生效', 'Sent to an online gateway; takes effect when it confirms'],
  }),
  fence: text(['电子围栏', 'Fence'], { rules: [rules.text_cn_128], max: 128 }),
  ...remarkField,
};

const otherSn = across('other_sn', ['新SN不能与原SN相同', 'The new SN must differ from the current one'], (v, all) => v !== all.sn);

export const replaceFields = {
  new_sn: text(['新设备SN', 'New SN'], { required: true, rules: [rules.sn, otherSn], max: 64, mono: true }),
  keep_users: bool(['保留账号与套餐', 'Keep accounts and packages'], {
    default: true,
    blank: true,
    tips: [
      '不保留时，设备须未绑定账号、套餐和未使用的充值卡',
      'If not kept, the device must have no accounts, packages or unused cards bound to it',
    ],
  }),
  // Remark about the replacement, so it does not start with the remark of the device.
  remark: variant(remarkField.remark, { blank: true }),
};

/** Only the server sets an authorization to expired. */
const chosenAuth = deviceAuth.filter((o) => o.id !== 'expired');

const inFuture = across(
  'in_future',
  ['授权到期日必须晚于当前时间', 'The authorization expiry must be in the future'],
  (v, all, env) => all.auth_status === 'suspended' || Number(v) > nowOf(env),
);

export const authFields = {
  auth_status: choice(['授权类型', 'Authorization'], chosenAuth, {
    required: true,
    tips: ['可选正式、测试、暂停', 'Choose licensed, test or suspended'],
  }),
  auth_expire_at: date(['授权到期日', 'Authorized until'], {
    required: true,
    quickYears: true,
    rules: [inFuture],
    tips: ['快捷选项：1/2/3年后减一天', 'Quick choices: now plus 1/2/3 years minus one day'],
  }),
  auth_code: text(['授权码', 'Authorization code'], {
    rules: [rules.word_128],
    max: 128,
    mono: true,
    when: (values) => values.auth_status === 'formal',
    tips: ['每台设备占用授权码的一个数量', 'Each device uses one unit of the code'],
  }),
};

/** New authorization of a suspended device. */
export const liftFields = {
  auth_status: choice(
    ['授权类型', 'Authorization'],
    chosenAuth.filter((o) => o.id !== 'suspended'),
    { required: true, default: 'formal' },
  ),
  auth_expire_at: variant(authFields.auth_expire_at, {}),
  reason: text(['解除原因', 'Reason'], { required: true, rules: [rules.free_512, rules.no_quotes], max: 512, blank: true }),
};

export const groupField = { device_group_id: option(['设备组', 'Group'], 'device/group/option', { required: true, ...ofDevice }) };

export const portalFields = {
  portal_id: option(['门户', 'Portal'], 'portal/option', {
    required: true,
    lookupBy: bySubject,
    lookupParams: { subject: 'device' },
    empty: ['没有适合所选设备VNO和计费模式的门户', 'No portal fits the VNO and billing mode of these devices'],
  }),
  billing_type: choice(['计费类型', 'Billing type'], billingType, { readonly: true, echo: { of: 'portal_id', lookup: 'portal/option' } }),
};
