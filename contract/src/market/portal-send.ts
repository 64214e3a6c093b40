import { sendMode } from '../device/choices.ts';
import { fileTaskStatus } from '../file/choices.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, link, option, options, progress, text, time, variant } from '../kit/field.ts';
import { bySubject } from '../kit/lookup.ts';
import { type Form, form, type PreviewNote } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import { across, inFuture } from '../kit/rule.ts';
import { limits } from '../limits.ts';
import { portalAccess } from './portal.ts';

const target = [
  { id: 'device', label: ['绑定设备', 'Device'], color: 'blue' },
  { id: 'group', label: ['绑定设备组', 'Device group'], color: 'cyan' },
] as const;

const later = inFuture('send_ahead', ['下发时间必须晚于当前时间', 'The send time must be in the future']);

const sendFields = {
  target: choice(['下发范围', 'Target'], target, { required: true, default: 'device' }),
  device_ids: options(['下发设备', 'Devices'], 'device/option', {
    required: true,
    lookupBy: bySubject,
    lookupParams: { subject: 'group' },
    when: (v) => v.target !== 'group',
    rules: [
      across('devices_max', [`一次最多${limits.fileDevices}台设备`, `At most ${limits.fileDevices} devices at a time`], (value) => {
        return Array.isArray(value) && value.length <= limits.fileDevices;
      }),
    ],
  }),
  device_group_id: option(['下发设备组', 'Device group'], 'device/group/option', {
    required: true,
    blank: true,
    when: (v) => v.target === 'group',
  }),
  send_mode: choice(['下发方式', 'Send mode'], sendMode, { required: true, default: 'immediate' }),
  send_at: time(['下发时间', 'Send at'], { required: true, rules: [later], when: (v) => v.send_mode === 'timed', blank: true }),
};

export const portalTask = resource({
  fields: {
    portal_name: text(['门户', 'Portal'], { width: 140 }),
    device_name: link(['设备名称', 'Device'], { tooltip: true, width: 160, to: '/device/detail/:device_id' }),
    sn: text(['设备SN', 'SN'], { mono: true, width: 120 }),
    status: choice(['下发状态', 'Status'], fileTaskStatus, { width: 140 }),
    progress: progress(['进度', 'Progress'], { width: 120 }),
    message: text(['失败原因', 'Reason'], { tooltip: true, width: 240 }),
    create_at: time(['下发时间', 'Sent at'], { sort: true }),
    portal_id: option(['门户', 'Portal'], 'portal/option'),
  },
  title: ['portal_name', 'device_name'],
  columns: ['portal_name', 'device_name', 'sn', 'status', 'progress', 'message', 'create_at'],
  filters: ['portal_id'],
  orderby: 'create_at desc',
});

export const portalSendCalls = calls('market', portalAccess, {
  send: {
    kind: 'command',
    path: 'portal/send/{id}',
    summary: ['下发门户', 'Send a portal to devices'],
    input: sendFields,
    shape: batchShape,
  },
  /** Size, devices that wait or fail, and devices that serve an older revision. */
  estimate: {
    kind: 'tree',
    path: 'portal/send/estimate',
    summary: ['门户下发估算', 'Estimate of sending a portal to devices'],
    input: {
      ids,
      target: variant(sendFields.target, { required: false }),
      device_ids: options(['下发设备', 'Devices'], 'device/option', { blank: true }),
      device_group_id: option(['下发设备组', 'Device group'], 'device/group/option', { blank: true }),
    },
    shape: shape<{ readonly notes: readonly PreviewNote[] }>(),
  },
  stop: { kind: 'command', path: 'file/task/portal/stop/{id}', summary: ['停止门户下发', 'Stop sending a portal to a device'] },
  tasks: {
    kind: 'list',
    path: 'file/task/portal',
    summary: ['门户下发记录', 'Send records of portals'],
    resource: portalTask,
  },
});

/** The send dialog of the pages advertTemp and advertEdit. */
export const portalSendForm: Form = { ...form(['下发门户', 'Send portal'], sendFields, 720), preview: portalSendCalls.estimate };

const isOpen = (row: AnyRow) => row.status === 0 || row.status === 1 || row.status === 2 || row.status === 100;

/** Row actions of the send records. */
export const portalTaskActions = {
  stop: {
    on: 'row',
    label: ['停止', 'Stop'],
    call: portalSendCalls.stop,
    danger: true,
    when: (row: AnyRow) => isOpen(row) && row.ended !== true,
    why: ['该下发已结束', 'This send has ended'],
    confirm: ['设备将保留原门户。确定停止该下发吗？', 'The device keeps its previous portal. Stop this send?'],
    done: ['下发已停止', 'The send was stopped'],
  },
} as const;

/** The send records in the drawer of the page. */
export const portalTaskList = {
  key: 'portalTask',
  title: ['下发记录', 'Send records'],
  list: portalSendCalls.tasks,
  resource: portalTask,
  actions: portalTaskActions,
} as const;

/** Actions of both pages that use these calls. */
export const portalSendActions = {
  tasks: { on: 'toolbar', label: ['下发记录', 'Send records'], call: portalSendCalls.tasks },
  send: {
    on: 'row',
    label: ['下发', 'Send'],
    call: portalSendCalls.send,
    form: 'send',
    done: ['下发任务已创建', 'Sending started'],
  },
} as const;
