import { exportInput } from '../export/export.ts';
import { exportLogFields, type RequestedExport } from '../export/export-log.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, images, int, longText, option, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { exportActions } from '../kit/page-actions.ts';
import { type AnyRow, type RowOf, resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { phoneColumn } from '../phone.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { feedbackLevel, feedbackStatus, feedbackType } from './choices.ts';
import type { FeedbackContext } from './feedback-context.ts';

const fields = {
  type: choice(['反馈类型', 'Type'], feedbackType, { width: 110 }),
  level: choice(['紧急程度', 'Urgency'], feedbackLevel, { sort: 'newest', width: 110 }),
  content: text(['反馈内容', 'Content'], { tooltip: true, width: 240 }),
  account: text(['反馈账号', 'Account'], { match: 'code', to: references.user, width: 130 }),
  phone: text(['联系电话', 'Phone'], { ...phoneColumn, hiddenByDefault: true }),
  sn: text(['设备SN', 'SN'], { match: 'code', mono: true, rules: [rules.sn], max: 64, width: 140 }),
  device_name: text(['设备名称', 'Device'], { tooltip: true, to: references.device, width: 150 }),
  attach: images(['附件', 'Attachments'], { width: 110 }),
  status: choice(['处理状态', 'Status'], feedbackStatus, { sort: 'newest', width: 110 }),
  remark: text(['处理备注', 'Remark'], { tooltip: true, width: 180 }),
  handler: text(['处理人', 'Handled by'], { hiddenByDefault: true }),
  handle_at: time(['处理时间', 'Handled at'], { sort: true, hiddenByDefault: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  create_at: time(['反馈时间', 'Created at'], { sort: true, months: limits.queryMonths }),
  device_id: option(['设备', 'Device'], 'device/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const feedbackResource = resource({
  fields,
  title: ['type', 'account'],
  columns: [
    'type',
    'level',
    'content',
    'account',
    'phone',
    'sn',
    'device_name',
    'attach',
    'status',
    'remark',
    'handler',
    'handle_at',
    'agent_name',
    'create_at',
  ],
  filters: ['status', 'type', 'level', 'sn', 'create_at', 'account', 'content', 'device_id', 'vno_id'],
  orderby: 'create_at desc',
});

/** The list has no version, because a form reads the record first. */
export type FeedbackRecord = RowOf<typeof feedbackResource> & { readonly version: number; readonly device_id: number | null };

const handling = {
  // Handling is the purpose of the form, so it does not start with the status of the row.
  status: choice(['处理状态', 'Status'], feedbackStatus, { required: true, default: 1, blank: true }),
  level: choice(['紧急程度', 'Urgency'], feedbackLevel),
  remark: longText(['处理备注', 'Remark'], {
    required: true,
    rules: [rules.free_512, rules.no_quotes],
    max: 512,
    tips: ['处理后显示给用户', 'Shown to the subscriber once the feedback is finished'],
  }),
};

const exportJobs = resource({
  fields: exportLogFields,
  title: ['job_id', 'file_name'],
  columns: ['job_id', 'file_name', 'status', 'progress', 'total', 'file_size', 'operator', 'create_at', 'finish_at', 'file_url'],
  filters: [],
  orderby: 'create_at desc',
});

export const feedbackCalls = calls('feedback', ['feedback_list'], {
  list: { kind: 'list', path: 'user_feedback/list', summary: ['查询问题反馈', 'List feedback'], resource: feedbackResource },
  info: { kind: 'detail', path: 'user_feedback/info/{id}', summary: ['查看问题反馈', 'Read one feedback'], shape: shape<FeedbackRecord>() },
  around: {
    kind: 'tree',
    path: 'user_feedback/around/{id}',
    summary: ['反馈时的设备状态', 'State of the device around the time of a feedback'],
    shape: shape<FeedbackContext>(),
  },
  edit: {
    kind: 'update',
    path: 'user_feedback/edit/{id}',
    summary: ['处理问题反馈', 'Handle a feedback'],
    input: handling,
    versioned: true,
  },
  attach: {
    kind: 'file',
    path: 'user_feedback/attach/{id}',
    summary: ['下载反馈附件', 'Download the attachments of a feedback; several as a ZIP'],
    shape: shape<unknown>(),
  },
  preview: {
    kind: 'file',
    path: 'user_feedback/preview/{id}',
    summary: ['预览反馈附件', 'Preview an image attachment'],
    input: { image: int(['图片序号', 'Image'], { rules: [rules.number_range(0, limits.feedbackImages - 1)] }) },
    shape: shape<unknown>(),
  },
  export: {
    kind: 'export',
    path: 'user_feedback/export',
    summary: ['导出问题反馈', 'Start an export of feedback'],
    resource: feedbackResource,
    input: exportInput,
    shape: shape<RequestedExport>(),
  },
  exports: { kind: 'list', path: 'user_feedback/export', summary: ['问题反馈导出记录', 'Export jobs of feedback'], resource: exportJobs },
});

const hasImages = (row: AnyRow) => Array.isArray(row.attach) && row.attach.length > 0;

export const feedbackList = page({
  ...headOf('feedbackList'),
  resource: feedbackResource,
  list: feedbackCalls.list,
  forms: { edit: form(['处理反馈', 'Handle feedback'], handling) },
  actions: {
    ...exportActions(feedbackCalls),
    info: { on: 'row', label: ['详情', 'Details'], call: feedbackCalls.info },
    edit: {
      on: 'row',
      label: ['处理', 'Handle'],
      call: feedbackCalls.edit,
      form: 'edit',
      when: (row) => row.status === 0,
      why: ['该反馈已处理', 'This feedback has been handled'],
    },
    attach: {
      on: 'row',
      label: ['下载附件', 'Download attachment'],
      call: feedbackCalls.attach,
      download: true,
      when: hasImages,
      why: ['没有附件', 'No attachment'],
    },
    preview: {
      on: 'row',
      label: ['预览附件', 'Preview attachment'],
      call: feedbackCalls.preview,
      when: hasImages,
      why: ['没有附件', 'No attachment'],
    },
  },
});
