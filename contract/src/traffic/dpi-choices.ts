import { machine } from '../kit/machine.ts';

export const dpiMode = [
  { id: 'continuous', label: ['持续上报', 'Continuous'], color: 'blue' },
  { id: 'single', label: ['单次上报', 'Single'], color: 'cyan' },
] as const;

export const dpiMethod = [
  { id: 'immediate', label: ['立即上报', 'Immediate'], color: 'green' },
  { id: 'appointment', label: ['预约上报', 'Appointment'], color: 'gold' },
] as const;

export const dpiOperate = [
  { id: 'estimate', label: ['预估', 'Estimate'], color: 'blue' },
  { id: 'report', label: ['上报', 'Report'], color: 'green' },
] as const;

/** States of a reporting task. The gateway, the file exchange and a stop move it. */
export const dpiStatus = machine(
  {
    issued: { id: 0, label: ['已下发', 'Issued'], color: 'blue' },
    executing: { id: 1, label: ['执行中', 'Executing'], color: 'processing' },
    uploaded: { id: 2, label: ['上传完成', 'Upload completed'], color: 'green' },
    cancelled: { id: 3, label: ['已取消', 'Cancelled'], color: 'default' },
    upload_failed: { id: 4, label: ['上传失败', 'Upload failed'], color: 'red' },
    package_failed: { id: 5, label: ['网关打包失败', 'Gateway packaging failed'], color: 'red' },
    not_found: { id: 6, label: ['数据未找到', 'Data not found'], color: 'orange' },
    estimated: { id: 7, label: ['预估完成', 'Estimate complete'], color: 'cyan' },
    estimate_failed: { id: 8, label: ['预估失败', 'Estimate failed'], color: 'volcano' },
    reported: { id: 9, label: ['数据已上报', 'Data reported'], color: 'green' },
    no_data: { id: 10, label: ['所选时段无数据', 'No data in range'], color: 'default' },
  },
  {
    confirm: { from: ['estimated'], to: 'issued' },
    stop: { from: ['issued', 'executing', 'estimated'], to: 'cancelled' },
    upload: { from: ['issued', 'executing'], to: 'uploaded' },
    import: { from: ['uploaded'], to: 'reported' },
  },
);
