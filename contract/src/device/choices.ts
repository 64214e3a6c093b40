/** Option lists of devices; the labels are those of the columns. */
export const onlineState = [
  { id: 1, label: ['在线', 'Online'], color: 'green', point: true },
  { id: 0, label: ['离线', 'Offline'], color: 'default', point: true },
] as const;

export const deviceStatus = [
  { id: 0, label: ['正常', 'Normal'], color: 'green' },
  { id: 1, label: ['未绑定', 'Unbound'], color: 'default' },
  { id: 2, label: ['商户码错误', 'Merchant code error'], color: 'red' },
  { id: 3, label: ['已重置', 'Reset'], color: 'orange' },
  { id: 4, label: ['重复绑定', 'Repeated binding'], color: 'volcano' },
  { id: 5, label: ['待审批', 'Waiting for approval'], color: 'gold' },
  { id: 6, label: ['已拒绝', 'Rejected'], color: 'red' },
] as const;

export const deviceType = [
  { id: 'fixed', label: ['固定站', 'Fixed station'], color: 'blue' },
  { id: 'vehicle', label: ['车载站', 'Vehicle'], color: 'cyan' },
  { id: 'ship', label: ['船载站', 'Ship-borne'], color: 'geekblue' },
  { id: 'portable', label: ['便携站', 'Portable'], color: 'gold' },
] as const;

export const deviceAuth = [
  { id: 'formal', label: ['正式授权', 'Licensed'], color: 'green' },
  { id: 'test', label: ['测试授权', 'Test'], color: 'blue' },
  { id: 'expired', label: ['授权过期', 'Expired'], color: 'orange' },
  { id: 'suspended', label: ['授权暂停', 'Suspended'], color: 'red' },
] as const;

export const linkState = [
  { id: 'on', label: ['已连接', 'On'], color: 'green' },
  { id: 'off', label: ['已断开', 'Off'], color: 'default' },
  { id: 'abnormal', label: ['异常', 'Abnormal'], color: 'red' },
] as const;
export type LinkState = (typeof linkState)[number]['id'];

export const lanState = [
  { id: 'on', label: ['已连接', 'Connected'], color: 'green' },
  { id: 'off', label: ['未连接', 'Not connected'], color: 'default' },
  { id: 'abnormal', label: ['异常', 'Abnormal'], color: 'red' },
] as const;

export const dockerStatus = [
  { id: 0, label: ['不支持', 'Unsupported'], color: 'default' },
  { id: 1, label: ['正常', 'Normal'], color: 'green' },
  { id: 2, label: ['异常', 'Abnormal'], color: 'red' },
  { id: 3, label: ['未开启', 'Not enabled'], color: 'orange' },
  { id: 4, label: ['未使用', 'Not used'], color: 'blue' },
] as const;

export const billingMode = [
  { id: 0, label: ['异常', 'Abnormal'], color: 'red' },
  { id: 1, label: ['前置计费', 'Pre-billing'], color: 'blue' },
  { id: 2, label: ['AAA计费', 'AAA'], color: 'purple' },
  { id: 3, label: ['共存', 'Mixed'], color: 'cyan' },
] as const;

export const billingType = [
  { id: 'free', label: ['免费上网', 'Free'], color: 'green' },
  { id: 'charged', label: ['计费上网', 'Charged'], color: 'blue' },
] as const;

export const optStatus = [
  { id: 'uninitialized', label: ['未初始化', 'Uninitialized'], color: 'default' },
  { id: 'initialized', label: ['已初始化', 'Initialized'], color: 'green' },
  { id: 'update_available', label: ['有可用更新', 'Update available'], color: 'orange' },
] as const;

export const linkLock = [
  { id: 'unlocked', label: ['未锁定', 'Unlocked'], color: 'default' },
  { id: 'global', label: ['锁定全球网', 'Global network'], color: 'blue' },
  { id: 'second_satellite', label: ['锁定二星网', 'Second satellite network'], color: 'purple' },
] as const;

export const changeMode = [
  { id: 'default', label: ['默认', 'Default'], color: 'default' },
  { id: 'backup', label: ['备份', 'Backup'], color: 'blue' },
  { id: 'roaming', label: ['漫游', 'Roaming'], color: 'purple' },
] as const;

export const transferStatus = [
  { id: 'transferring', label: ['转移中', 'Transferring'], color: 'processing' },
  { id: 'failed', label: ['转移失败', 'Failed'], color: 'red' },
] as const;

export const sendMode = [
  { id: 'immediate', label: ['立即下发', 'Immediate'], color: 'green' },
  { id: 'timed', label: ['定时下发', 'Timed'], color: 'gold' },
] as const;
