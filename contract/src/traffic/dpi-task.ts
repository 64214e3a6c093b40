import { batchShape, ids } from '../kit/batch.ts';
import { calls } from '../kit/endpoint.ts';
import { bytes, choice, int, link, option, options, progress, speed, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import { across, inFuture, nowOf } from '../kit/rule.ts';
import { kilobits } from '../kit/units.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { dataType } from './choices.ts';
import { dpiMethod, dpiMode, dpiOperate, dpiStatus } from './dpi-choices.ts';

const maxSpeed = limits.dpiSpeed * kilobits;
const belowMaxSpeed = across('dpi_speed', [`不超过${maxSpeed}`, `At most ${maxSpeed}`], (v) => Number(v) <= limits.dpiSpeed);

export const dpiTask = resource({
  fields: {
    task_no: text(['任务编号', 'Task no.'], { sort: true, tooltip: true, mono: true, width: 150 }),
    device_name: link(['设备名称', 'Device'], { tooltip: true, width: 160, to: '/device/detail/:device_id' }),
    sn: text(['设备SN', 'SN'], { mono: true, width: 120, rules: [rules.sn] }),
    data_type: choice(['数据类型', 'Data type'], dataType, { width: 130 }),
    mode: choice(['上报模式', 'Reporting mode'], dpiMode, { width: 110 }),
    method: choice(['上报方式', 'Method'], dpiMethod, { width: 110 }),
    report_at: time(['预约上报时间', 'Scheduled at'], { sort: true, hiddenByDefault: true }),
    start_at: time(['数据开始时间', 'Data from']),
    end_at: time(['数据结束时间', 'Data until']),
    limit_speed: speed(['上报限速', 'Report speed limit'], { hiddenByDefault: true, tips: ['0表示不限制', '0 means unlimited'] }),
    limit_flow: bytes(['上报流量上限', 'Report traffic limit'], { hiddenByDefault: true, tips: ['0表示不限制', '0 means unlimited'] }),
    estimate_size: bytes(['预估大小', 'Estimated size'], { sort: true, hiddenByDefault: true }),
    size: bytes(['实际大小', 'Actual size'], { sort: true, hiddenByDefault: true }),
    progress: progress(['进度', 'Progress'], { width: 120, hiddenByDefault: true }),
    status: choice(['状态', 'Status'], dpiStatus.options, { sort: true, width: 140 }),
    message: text(['失败原因', 'Reason'], { tooltip: true, width: 240, hiddenByDefault: true }),
    operator: text(['操作人', 'Operator'], { hiddenByDefault: true }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
    create_at: time(['下发时间', 'Issued at'], { sort: true, months: limits.queryMonths }),
    device_id: option(['设备', 'Device'], 'device/option'),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  // The state comes first, because it must be visible without scrolling.
  title: ['task_no', 'device_name'],
  columns: [
    'task_no',
    'device_name',
    'sn',
    'status',
    'progress',
    'message',
    'data_type',
    'mode',
    'method',
    'report_at',
    'start_at',
    'end_at',
    'limit_speed',
    'limit_flow',
    'estimate_size',
    'size',
    'operator',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'status', 'mode', 'data_type', 'create_at', 'method', 'sn', 'task_no', 'operator', 'vno_id'],
  orderby: 'create_at desc',
});

const ahead = inFuture('report_ahead', ['预约时间必须晚于当前时间', 'The scheduled time must be in the future']);
const past = across(
  'range_past',
  ['立即上报的数据开始时间不能晚于当前时间', 'An immediate report needs a range that starts in the past'],
  (value, all, env) => all.method !== 'immediate' || Number(value) <= nowOf(env),
);
const isSingle = (v: { readonly mode?: unknown }) => v.mode !== 'continuous';

const createFields = {
  operate: choice(['操作', 'Operation'], dpiOperate, { required: true, default: 'report' }),
  device_ids: options(['上报设备', 'Devices'], 'device/option', {
    required: true,
    blank: true,
    rules: [
      across('devices_max', [`一次最多${limits.fileDevices}台设备`, `At most ${limits.fileDevices} devices at a time`], (value) => {
        return Array.isArray(value) && value.length <= limits.fileDevices;
      }),
    ],
  }),
  data_type: choice(['数据类型', 'Data type'], dataType, { required: true, default: 'dpi_usr' }),
  mode: choice(['上报模式', 'Reporting mode'], dpiMode, {
    required: true,
    default: 'single',
    rules: [
      across(
        'estimate_single',
        ['持续上报没有时段，不能预估', 'A continuous report has no range and cannot be estimated'],
        (value, all) => {
          return value !== 'continuous' || all.operate !== 'estimate';
        },
      ),
    ],
  }),
  method: choice(['上报方式', 'Method'], dpiMethod, { required: true, default: 'immediate' }),
  report_at: time(['预约时间', 'Scheduled at'], { required: true, blank: true, rules: [ahead], when: (v) => v.method === 'appointment' }),
  start_at: time(['数据开始时间', 'Data from'], { required: true, blank: true, rules: [past], when: isSingle }),
  end_at: time(['数据结束时间', 'Data until'], {
    required: true,
    blank: true,
    rules: [rules.start_before_end('start_at'), rules.query_range('start_at', limits.queryMonths)],
    when: isSingle,
  }),
  limit_speed: speed(['上报限速（kbps）', 'Speed limit (kbps)'], {
    rules: [rules.zero_unlimited, belowMaxSpeed],
    default: 0,
    tips: ['0表示不限制', '0 means unlimited'],
  }),
  limit_flow: int(['上报流量上限（MB）', 'Traffic limit (MB)'], {
    rules: [rules.zero_unlimited, rules.number_range(0, limits.dpiFlow)],
    default: 0,
    tips: ['0表示不限制', '0 means unlimited'],
  }),
};

export const dpiTaskCalls = calls('flow', ['dpi_send'], {
  list: { kind: 'list', path: 'dpi', summary: ['查询DPI上报任务', 'List DPI reporting tasks'], resource: dpiTask },
  create: {
    kind: 'create',
    path: 'dpi',
    summary: ['新建DPI上报任务或预估', 'Create DPI reporting tasks (or estimates), one per device'],
    input: createFields,
    shape: batchShape,
  },
  stop: {
    kind: 'command',
    path: 'dpi/stop',
    summary: ['停止DPI上报任务', 'Stop DPI reporting tasks'],
    input: { ids },
    shape: batchShape,
  },
  report: {
    kind: 'command',
    path: 'dpi/{id}',
    summary: ['预估完成后开始上报', 'Start reporting after an estimate is complete'],
    input: { operate: choice(['操作', 'Operation'], [dpiOperate[1]], { required: true, default: 'report' }) },
  },
});

const mayStop = (row: AnyRow) => dpiStatus.can('stop', row.status);

const underWay = [dpiStatus.ids.issued, dpiStatus.ids.executing, dpiStatus.ids.uploaded];
/** Tasks whose state changes without an operator. */
export const isDpiRunning = (row: AnyRow) => underWay.some((status) => status === row.status);

export const dpiSend = page({
  ...headOf('dpiSend'),
  resource: dpiTask,
  list: dpiTaskCalls.list,
  forms: { create: form(['新建DPI上报任务', 'New DPI reporting task'], createFields, 720) },
  actions: {
    create: {
      on: 'toolbar',
      label: ['新建上报任务', 'New reporting task'],
      call: dpiTaskCalls.create,
      form: 'create',
      done: ['任务已下发，设备响应后更新状态', 'Task issued. Its status changes when devices reply.'],
    },
    report: {
      on: 'row',
      label: ['确认上报', 'Report now'],
      call: dpiTaskCalls.report,
      params: { id: ':id', operate: 'report' },
      when: (row) => dpiStatus.can('confirm', row.status),
      why: ['仅预估完成的任务可以确认上报', 'Only a task with a complete estimate can be reported'],
      confirm: ['预估已完成，确定开始上报吗？', 'The estimate is complete. Start reporting?'],
      done: ['已开始上报', 'Reporting started'],
    },
    stop: {
      on: 'both',
      label: ['停止上报', 'Stop'],
      call: dpiTaskCalls.stop,
      danger: true,
      when: mayStop,
      why: ['仅已下发、执行中或预估完成的任务可以停止', 'Only issued, executing or estimated tasks can be stopped'],
      confirm: ['确定停止所选上报任务吗？', 'Stop the selected tasks?'],
    },
  },
});
