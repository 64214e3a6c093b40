import { machine } from '../kit/machine.ts';

export const accountType = [
  { id: 'personal', label: ['个人账号', 'Personal'], color: 'blue' },
  { id: 'small_station', label: ['小站账号', 'Small-station'], color: 'cyan' },
  { id: 'job', label: ['工作账号', 'Job'], color: 'purple' },
  { id: 'temp_card', label: ['临时卡账号', 'Temporary card'], color: 'gold' },
  { id: 'maritime_crew', label: ['海事船员账号', 'Maritime (crew)'], color: 'geekblue' },
  { id: 'maritime_ship', label: ['海事公务账号', 'Maritime (ship business)'], color: 'geekblue' },
] as const;
export type AccountType = (typeof accountType)[number]['id'];

export const accountSource = [
  { id: 'counter', label: ['柜台开户', 'Counter creation'], color: 'blue' },
  { id: 'personal', label: ['自助注册', 'Personal registration'], color: 'green' },
  { id: 'batch', label: ['批量开户', 'Batch opening'], color: 'purple' },
] as const;

/** spec §5: disabling also applies to users in reserved shutdown; enabling restores the previous state. */
export const accountStatus = machine(
  {
    normal: { id: 'normal', label: ['正常', 'Normal'], color: 'green' },
    disabled: { id: 'disabled', label: ['禁用', 'Disabled'], color: 'default' },
    frozen: { id: 'frozen', label: ['冻结', 'Frozen'], color: 'blue' },
    expired: { id: 'expired', label: ['已过期', 'Expired'], color: 'orange' },
    shutdown: { id: 'shutdown', label: ['停机（额度用尽）', 'Shutdown (quota exhausted)'], color: 'red' },
    reserved_shutdown: { id: 'reserved_shutdown', label: ['停机保号', 'Reserved shutdown'], color: 'purple' },
  },
  {
    enable: { from: ['disabled', 'frozen'], to: 'normal' },
    disable: { from: ['normal', 'shutdown', 'reserved_shutdown'], to: 'disabled' },
    freeze: { from: ['normal'], to: 'frozen' },
    expire: { from: ['normal', 'shutdown', 'reserved_shutdown'], to: 'expired' },
    exhaust: { from: ['normal'], to: 'shutdown' },
    resume: { from: ['shutdown'], to: 'normal' },
    reserve: { from: ['normal', 'shutdown'], to: 'reserved_shutdown' },
    reopen: { from: ['reserved_shutdown'], to: 'normal' },
    renew: { from: ['expired'], to: 'normal' },
    remove: { from: ['expired', 'disabled'], to: 'disabled' },
  },
);
export type AccountStatus = 'normal' | 'disabled' | 'frozen' | 'expired' | 'shutdown' | 'reserved_shutdown';

/** What an account is bound to. One bound to nothing gets no service. */
export const accountBinding = [
  { id: 'device', label: ['设备', 'Device'], color: 'blue' },
  { id: 'group', label: ['设备组', 'Device group'], color: 'cyan' },
  { id: 'vno', label: ['整个VNO', 'Whole VNO'], color: 'purple' },
  { id: 'none', label: ['未绑定', 'Nothing'], color: 'red' },
  { id: 'unusable', label: ['未绑定但有套餐，无法上网', 'Nothing, but with a package: cannot go online'], color: 'red' },
] as const;

export const packageStatus = [
  { id: 'to_be_used', label: ['待使用', 'To be used'], color: 'blue' },
  { id: 'normal', label: ['正常', 'Normal'], color: 'green' },
  { id: 'expired', label: ['已过期', 'Expired'], color: 'orange' },
  { id: 'not_active', label: ['未激活', 'Not active'], color: 'default' },
  { id: 'exhausted', label: ['已用尽', 'Exhausted'], color: 'red' },
] as const;
export type PackageStatus = (typeof packageStatus)[number]['id'];

/** Status of one package of an account. */
export const holdingStatus = [...packageStatus, { id: 'refunded', label: ['已退款', 'Refunded'], color: 'purple' }] as const;
export type HoldingStatus = (typeof holdingStatus)[number]['id'];

export const onlineState = [
  { id: 1, label: ['在线', 'Online'], color: 'green', point: true },
  { id: 0, label: ['离线', 'Offline'], color: 'default', point: true },
] as const;

/** Where an account may go online. */
export const accountPlace = [
  { id: 'device', label: ['绑定设备', 'Device'], color: 'blue' },
  { id: 'group', label: ['绑定设备组', 'Device group'], color: 'cyan' },
  { id: 'vno', label: ['整个VNO', 'Whole VNO'], color: 'purple' },
] as const;
export type AccountPlace = (typeof accountPlace)[number]['id'];

export const autoRenew = [
  { id: 1, label: ['开启', 'On'], color: 'green' },
  { id: 0, label: ['关闭', 'Off'], color: 'default' },
] as const;

export const customPolicy = [
  { id: 1, label: ['开启', 'On'], color: 'green' },
  { id: 0, label: ['关闭', 'Off'], color: 'default' },
] as const;

export const accountAction = [
  { id: 'enable', label: ['启用', 'Enable'], color: 'green' },
  { id: 'disable', label: ['禁用', 'Disable'], color: 'red' },
  { id: 'freeze', label: ['冻结', 'Freeze'], color: 'blue' },
] as const;

export const opResult = [
  { id: 'success', label: ['成功', 'Success'], color: 'green' },
  { id: 'fail', label: ['失败', 'Failed'], color: 'red' },
] as const;

/** Result of a policy change: pending until the gateway confirms or refuses it. */
export const policyResult = [{ id: 'pending', label: ['待下发', 'Not yet delivered'], color: 'default' }, ...opResult] as const;

/** spec §5: highest priority first. */
export const policySource = [
  { id: 'account_default', label: ['账号默认策略', 'Account default'], color: 'red' },
  { id: 'user_defined', label: ['用户自定义策略', 'User-defined'], color: 'orange' },
  { id: 'package_bound', label: ['套餐绑定策略', 'Package-bound'], color: 'blue' },
  { id: 'device_local', label: ['设备本地策略', 'Device local'], color: 'default' },
] as const;

/** Reasons of a refused login. */
export const rejectReason = [
  { id: 'wrong_password', label: ['密码错误', 'Wrong password'], color: 'orange' },
  { id: 'disabled', label: ['账号已禁用', 'Account disabled'], color: 'red' },
  { id: 'frozen', label: ['账号已冻结', 'Account frozen'], color: 'blue' },
  { id: 'expired', label: ['账号已过期', 'Account expired'], color: 'orange' },
  { id: 'shutdown', label: ['套餐额度已用尽', 'Quota used up'], color: 'red' },
  { id: 'reserved_shutdown', label: ['停机保号', 'Reserved shutdown'], color: 'purple' },
  { id: 'no_package', label: ['没有可用套餐', 'No package to use'], color: 'orange' },
  { id: 'too_many', label: ['超过允许登录数', 'Too many logins at once'], color: 'orange' },
  { id: 'wrong_ip', label: ['与绑定IP不符', 'Not the bound IP'], color: 'red' },
  { id: 'wrong_mac', label: ['与绑定MAC不符', 'Not the bound MAC'], color: 'red' },
  { id: 'wrong_vlan', label: ['与绑定VLAN不符', 'Not the bound VLAN'], color: 'red' },
  { id: 'unbound', label: ['未绑定设备或设备组', 'Not bound to a device or group'], color: 'orange' },
  { id: 'unknown', label: ['账号不存在', 'Unknown account'], color: 'orange' },
  { id: 'wrong_device', label: ['不在绑定的设备上', 'Not on the bound device'], color: 'red' },
  { id: 'method_off', label: ['该NAS未启用此认证方式', 'Authentication method is off for this NAS'], color: 'orange' },
] as const;
export type RejectReason = (typeof rejectReason)[number]['id'];

export const terminateCause = [
  { id: 'user', label: ['用户下线', 'Logged out'], color: 'default' },
  { id: 'kick', label: ['强制下线', 'Kicked off'], color: 'red' },
  { id: 'idle', label: ['闲置超时', 'Idle'], color: 'default' },
  { id: 'quota', label: ['额度用尽', 'Quota used up'], color: 'orange' },
  { id: 'lost', label: ['连接丢失', 'Connection lost'], color: 'orange' },
  { id: 'expired', label: ['已到期', 'Expired'], color: 'orange' },
  { id: 'session', label: ['达到会话时长', 'Session time used up'], color: 'default' },
] as const;

/** State of an account at a gateway that holds it. */
export const syncState = [
  { id: 'synced', label: ['已同步', 'Synced'], color: 'green' },
  { id: 'pending', label: ['同步中', 'Being sent'], color: 'processing' },
  { id: 'offline', label: ['网关离线，待同步', 'Waiting: gateway offline'], color: 'gold' },
  { id: 'refused', label: ['网关拒绝', 'Refused by the gateway'], color: 'red' },
] as const;
export type SyncState = (typeof syncState)[number]['id'];

/** Reasons why no gateway holds an account. */
export const noGateway = [
  { id: 'unbound', label: ['未绑定设备或设备组', 'Not bound to a device or group'], color: 'orange' },
  { id: 'empty_group', label: ['绑定的设备组中没有设备', 'The bound group has no devices'], color: 'orange' },
  { id: 'aaa', label: ['由RADIUS认证，无需同步', 'Authenticated by RADIUS, nothing to send'], color: 'default' },
  { id: 'abnormal', label: ['网关计费模式异常', 'The billing mode of the gateway is abnormal'], color: 'red' },
  { id: 'never_seen', label: ['网关从未上线', 'The gateway has never been online'], color: 'gold' },
  { id: 'too_old', label: ['网关版本过低，不支持账号同步', 'The gateway version does not support accounts'], color: 'red' },
  { id: 'queued', label: ['等待同步', 'Waiting to be sent'], color: 'processing' },
] as const;
export type NoGateway = (typeof noGateway)[number]['id'];

/** Whether the NAS serves a session as ordered. */
export const enforcement = [
  { id: 'enforced', label: ['已执行', 'In effect'], color: 'green' },
  { id: 'pending', label: ['等待NAS确认', 'Waiting for the NAS'], color: 'processing' },
  { id: 'not_enforced', label: ['未执行', 'Not in effect'], color: 'red' },
] as const;
export type Enforcement = (typeof enforcement)[number]['id'];

export const serviceEventKind = [
  { id: 'activated', label: ['开始使用', 'Started'], color: 'green' },
  { id: 'reminder', label: ['用量提醒', 'Usage reminder'], color: 'gold' },
  { id: 'exhausted', label: ['额度用尽', 'Quota used up'], color: 'orange' },
  { id: 'expired', label: ['套餐到期', 'Package ended'], color: 'default' },
  { id: 'next_package', label: ['切换套餐', 'Next package'], color: 'blue' },
  { id: 'slow_down', label: ['策略限速', 'Speed limit by policy'], color: 'orange' },
  { id: 'stop', label: ['停止服务', 'Stopped'], color: 'red' },
  { id: 'lifted', label: ['恢复服务', 'Full service'], color: 'green' },
  { id: 'overrun', label: ['超出套餐', 'Beyond the packages'], color: 'volcano' },
  { id: 'enforced', label: ['NAS已执行', 'In effect at the NAS'], color: 'cyan' },
  { id: 'not_enforced', label: ['NAS未执行', 'Not in effect at the NAS'], color: 'red' },
] as const;
export type ServiceEventKind = (typeof serviceEventKind)[number]['id'];
