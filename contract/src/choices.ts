/** Option lists that several domains share. */
export const agentMode = [
  { id: 1, label: ['前置', 'Front'], color: 'blue' },
  { id: 2, label: ['集中', 'Central'], color: 'purple' },
  { id: 4, label: ['UY', 'UY'], color: 'gold' },
  { id: 3, label: ['共存', 'Both'], color: 'cyan' },
] as const;

export const commonStatus = [
  { id: 0, label: ['禁用', 'Disabled'], color: 'default', point: true },
  { id: 1, label: ['启用', 'Enabled'], color: 'green', point: true },
] as const;

export const roleScope = [
  { id: 'vno', label: ['基于VNO', 'Based on VNO'], color: 'blue' },
  { id: 'device', label: ['基于设备', 'Based on device'], color: 'cyan' },
  { id: 'unlimited', label: ['不限制', 'Unlimited'], color: 'default' },
] as const;

export const dataLimit = [
  { id: 'all', label: ['全部', 'All'], color: 'default' },
  { id: 'specified', label: ['指定', 'Specified'], color: 'blue' },
] as const;

export const permItem = [
  { id: '11', label: ['可操作', 'Operable'], color: 'green' },
  { id: '10', label: ['仅查看', 'Show only'], color: 'blue' },
  { id: '00', label: ['不可见', 'Invisible'], color: 'default' },
] as const;

export const jobKind = [
  { id: 'master', label: ['主工号', 'Master job number'], color: 'gold' },
  { id: 'sub', label: ['子工号', 'Sub job number'], color: 'blue' },
] as const;
