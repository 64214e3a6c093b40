import { sendMode } from '../device/choices.ts';
import { ids } from '../kit/batch.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, int, link, option, options, progress, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { fileOperation, fileTaskStatus, hasArrived, taskState } from './choices.ts';

export const fileTask = resource({
  fields: {
    task_no: text(['任务编号', 'Task no.'], { sort: true, tooltip: true, mono: true, width: 150 }),
    file_name: text(['文件名称', 'File name'], { tooltip: true, width: 160, to: references.file }),
    batch: text(['批次号', 'Batch'], { tooltip: true, width: 120 }),
    operation: choice(['下发后操作', 'Operation'], fileOperation, { width: 104 }),
    send_mode: choice(['下发方式', 'Send mode'], sendMode, { width: 104 }),
    send_at: time(['计划下发时间', 'Scheduled at'], { sort: true, hiddenByDefault: true }),
    state: choice(['任务状态', 'Task state'], taskState, { width: 92 }),
    device_count: int(['设备数', 'Devices'], { sort: true, width: 96 }),
    success_count: int(['成功数', 'Succeeded'], { width: 90 }),
    fail_count: int(['失败数', 'Failed'], { width: 76 }),
    progress: progress(['进度', 'Progress'], { width: 130 }),
    path: text(['目标目录', 'Directory'], { tooltip: true, hiddenByDefault: true }),
    operator: text(['操作人', 'Operator'], { hiddenByDefault: true }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
    create_at: time(['下发时间', 'Sent at'], { sort: true, months: limits.queryMonths }),
    file_id: option(['文件', 'File'], 'file/option'),
    device_id: option(['设备', 'Device'], 'device/option'),
    status: choice(['设备任务状态', 'Device task status'], fileTaskStatus),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['file_name', 'task_no'],
  columns: [
    'task_no',
    'file_name',
    'state',
    'progress',
    'device_count',
    'success_count',
    'fail_count',
    'create_at',
    'operation',
    'send_mode',
    'batch',
    'send_at',
    'path',
    'operator',
    'agent_name',
  ],
  filters: ['task_no', 'file_id', 'state', 'device_id', 'create_at', 'operation', 'send_mode', 'status', 'operator', 'vno_id'],
  orderby: 'create_at desc',
});

export const fileTaskDevice = resource({
  fields: {
    device_name: link(['设备名称', 'Device'], { tooltip: true, width: 160, to: '/device/detail/:device_id' }),
    sn: text(['设备SN', 'SN'], { mono: true, width: 120 }),
    status: choice(['下载状态', 'Status'], fileTaskStatus, { width: 140 }),
    progress: progress(['进度', 'Progress'], { width: 120 }),
    message: text(['原因', 'Reason'], { tooltip: true, width: 240 }),
    update_at: time(['更新时间', 'Updated at'], { sort: true }),
  },
  title: ['device_name'],
  columns: ['device_name', 'sn', 'status', 'progress', 'message', 'update_at'],
  filters: ['sn', 'status'],
  // A stable order while the states change.
  orderby: 'device_name asc',
});

export const fileTaskCalls = calls('file', ['file_task'], {
  list: {
    kind: 'list',
    path: 'file/task',
    access: ['file_list', 'file_task'],
    summary: ['查询下发任务', 'List distribution tasks'],
    resource: fileTask,
  },
  detail: {
    kind: 'list',
    path: 'file/task/detail/{id}',
    summary: ['下发任务的设备明细', 'Per-device state of a distribution task'],
    resource: fileTaskDevice,
  },
  stop: { kind: 'command', path: 'file/task/stop/{id}', summary: ['停止下发任务', 'Stop a distribution task'] },
  pause: { kind: 'command', path: 'file/task/pause/{id}', summary: ['暂停下发任务', 'Pause a distribution task'] },
  resume: { kind: 'command', path: 'file/task/resume/{id}', summary: ['继续下发任务', 'Resume a paused distribution task'] },
  /** Deletes the file from all devices of the task, or from these. */
  remove: {
    kind: 'command',
    path: 'file/task/remove/{id}',
    summary: ['删除设备上的文件', 'Delete the file of a task on its devices'],
    input: { ids: options(['设备明细', 'Devices'], '', { hidden: true, rules: ids.rules }) },
    output: { count: int(['设备数', 'Devices'], { required: true }) },
  },
});

/** Waiting or running. */
export const isUnfinished = (row: AnyRow) => row.state === 'waiting' || row.state === 'running';
const isPaused = (row: AnyRow) => row.state === 'paused';

export const fileLog = page({
  ...headOf('fileLog'),
  resource: fileTask,
  list: fileTaskCalls.list,
  forms: {},
  actions: {
    detail: { on: 'row', label: ['设备明细', 'Device details'], call: fileTaskCalls.detail, params: { id: ':id' } },
    pause: {
      on: 'row',
      label: ['暂停', 'Pause'],
      call: fileTaskCalls.pause,
      when: isUnfinished,
      why: ['仅未结束且未暂停的任务可以暂停', 'Only unfinished tasks that are not paused can be paused'],
    },
    resume: {
      on: 'row',
      label: ['继续', 'Resume'],
      call: fileTaskCalls.resume,
      when: isPaused,
      why: ['仅已暂停的任务可以继续', 'Only a paused task can be resumed'],
    },
    stop: {
      on: 'row',
      label: ['停止任务', 'Stop'],
      call: fileTaskCalls.stop,
      danger: true,
      when: (row) => isUnfinished(row) || isPaused(row),
      why: ['任务已结束', 'The task has ended'],
      confirm: [
        '未开始的设备不再下发，已完成的不受影响。确定停止该下发任务吗？',
        'Devices that have not started receive nothing; completed devices are not affected. Stop this task?',
      ],
    },
    remove: {
      on: 'row',
      label: ['删除设备文件', 'Delete on devices'],
      call: fileTaskCalls.remove,
      danger: true,
      when: (row) => Number(row.arrived_count) > 0,
      why: ['没有设备持有该文件', 'No device has the file'],
      confirm: ['将删除已下发到设备上的文件，确定删除吗？', 'The file will be deleted on the devices that have it. Delete?'],
      done: ['已通知设备删除文件', 'Delete request sent to the devices'],
    },
  },
});

/** Row actions of the device list of a task. */
export const fileTaskDeviceActions = {
  remove: {
    on: 'row',
    label: ['删除文件', 'Delete file'],
    call: fileTaskCalls.remove,
    params: { id: ':task_id', ids: ':ids' },
    danger: true,
    when: (row: AnyRow) => hasArrived(row.status),
    why: ['设备上没有该文件', 'The file is not on the device'],
    confirm: ['文件将从该设备上删除，可重新下发。确定删除吗？', 'The file is removed from this device and can be sent again. Delete?'],
    done: ['已通知设备删除文件', 'Delete request sent to the device'],
  },
} as const;
