import { calls, shape } from '../kit/endpoint.ts';
import { int, option, progress, time } from '../kit/field.ts';
import { form } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { rules } from '../rules.ts';
import { deviceAccess } from './device.ts';
import type { Shadow } from './shadow.ts';

/** Samples of a gateway's load. */
export const load = resource({
  fields: {
    time: time(['时间', 'Time']),
    cpu: progress(['CPU使用率', 'CPU']),
    memory: progress(['内存使用率', 'Memory']),
    disk: progress(['磁盘使用率', 'Disk']),
    session_count: int(['连接数', 'Sessions']),
    temperature: int(['温度（℃）', 'Temperature (°C)'], { hiddenByDefault: true }),
  },
  title: ['time'],
  columns: ['time', 'cpu', 'memory', 'disk', 'session_count', 'temperature'],
  filters: [],
  orderby: 'time desc',
});

/** The mean over an interval, and the peak if it differs. */
export interface LoadPoint {
  readonly id: number;
  readonly time: number;
  readonly cpu: number;
  readonly cpu_max: number;
  readonly memory: number;
  readonly memory_max: number;
  readonly disk: number | null;
  readonly session_count: number | null;
  readonly temperature: number | null;
}

export interface LoadSeries {
  readonly total: number;
  readonly start_at: number;
  readonly end_at: number;
  /** Seconds per point. */
  readonly step: number;
  /** Oldest first. */
  readonly list: readonly LoadPoint[];
}

const device_id = option(['设备', 'Device'], 'device/option', { required: true, hidden: true });

export const loadRange = {
  start_at: time(['开始时间', 'From']),
  end_at: time(['结束时间', 'Until'], { rules: [rules.start_before_end('start_at'), rules.query_range('start_at', limits.loadMonths)] }),
};

export const loadInterval = {
  interval: int(['采集周期（秒）', 'Interval (s)'], { required: true, rules: [rules.number_range(10, 3600)], default: 60 }),
};

export interface LoadInterval {
  readonly interval: number;
  readonly shadow: Shadow;
}

export const loadCalls = calls('device', deviceAccess, {
  series: {
    kind: 'tree',
    path: 'device/load',
    summary: ['设备负载', 'Load samples of a device, reduced for the chart'],
    input: { device_id, ...loadRange },
    shape: shape<LoadSeries>(),
  },
  interval: {
    kind: 'tree',
    path: 'device/load/interval',
    summary: ['读取负载采集周期', 'Read the load sampling interval'],
    input: { device_id },
    shape: shape<LoadInterval>(),
  },
  setInterval: {
    kind: 'update',
    path: 'device/load/interval',
    summary: ['设置负载采集周期', 'Set the load sampling interval'],
    input: { device_id, ...loadInterval },
  },
});

export const loadIntervalForm = form(['负载采集周期', 'Load sampling interval'], loadInterval);
