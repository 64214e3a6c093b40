import { sendMode } from '../device/choices.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bytes, choice, file, int, longText, option, options, pick, text, time, variant } from '../kit/field.ts';
import { bySubject } from '../kit/lookup.ts';
import { form, type PreviewNote, page } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import { across, inFuture } from '../kit/rule.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { fileOperation, fileType } from './choices.ts';
import { fileChunk, fileRules, wholeFile } from './file-kinds.ts';
import { fileTaskCalls } from './file-log.ts';

const fields = {
  id: int(['文件ID', 'ID'], { sort: true, hiddenByDefault: true, width: 90 }),
  batch: text(['批次号', 'Batch'], { required: true, rules: [rules.word_128], max: 128, sort: true, tooltip: true, width: 130 }),
  name: text(['文件名称', 'File name'], { required: true, rules: [rules.text_cn_128], max: 128, sort: true, tooltip: true, width: 180 }),
  type: choice(['文件类型', 'Type'], fileType, { required: true, default: 'config', width: 128 }),
  size: bytes(['文件大小', 'Size'], { sort: true }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], tooltip: true, width: 130 }),
  describe: longText(['文件描述', 'Description'], { rules: [rules.free_512], tooltip: true, hiddenByDefault: true, width: 200 }),
  task_count: int(['下发次数', 'Tasks'], { sort: true, hiddenByDefault: true }),
  operator: text(['上传人', 'Uploaded by'], { width: 104 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  create_at: time(['上传时间', 'Upload time'], { sort: true }),
  file_id: option(['文件', 'File'], 'file/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const fileResource = resource({
  fields,
  title: ['name', 'agent_name'],
  columns: ['name', 'id', 'batch', 'type', 'size', 'remark', 'describe', 'task_count', 'operator', 'agent_name', 'create_at'],
  filters: ['name', 'batch', 'type', 'file_id', 'create_at', 'operator', 'vno_id'],
  orderby: 'create_at desc',
});

const described = pick(fields, 'batch', 'name', 'type', 'remark', 'describe');

const uploadFields = {
  file: file(['文件', 'File'], { required: true, upload: wholeFile, rules: fileRules }),
  ...described,
};

const editFields = pick(fields, 'name', 'remark', 'describe');

const later = inFuture('send_ahead', ['下发时间必须晚于当前时间', 'The send time must be in the future']);

const sendFields = {
  device_ids: options(['下发设备', 'Devices'], 'device/option', {
    required: true,
    lookupBy: bySubject,
    lookupParams: { subject: 'file' },
    rules: [
      across('devices_max', [`一次最多${limits.fileDevices}台设备`, `At most ${limits.fileDevices} devices at a time`], (value) => {
        return Array.isArray(value) && value.length <= limits.fileDevices;
      }),
    ],
  }),
  operation: choice(['下发后操作', 'After download'], fileOperation, { required: true, default: 'none' }),
  path: text(['目标目录', 'Target directory'], {
    required: true,
    rules: [rules.directory, rules.length(1, 128)],
    max: 128,
    default: '/tmp',
  }),
  send_mode: choice(['下发方式', 'Send mode'], sendMode, { required: true, default: 'immediate' }),
  send_at: time(['下发时间', 'Send at'], { required: true, rules: [later], when: (v) => v.send_mode === 'timed', blank: true }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], blank: true }),
};

const file_ids = variant(ids, { label: ['文件', 'Files'] });

export const fileCalls = calls('file', ['file_list'], {
  list: { kind: 'list', path: 'file', summary: ['查询文件', 'List files'], resource: fileResource },
  create: {
    kind: 'create',
    path: 'file',
    summary: ['上传文件', 'Upload a file, at once or in chunks'],
    input: {
      file: file(uploadFields.file.label, {
        upload: { ...wholeFile, maxBytes: limits.fileWholeBytes },
        rules: fileRules,
        requiredWhen: (v) => v.upload_id === undefined,
      }),
      upload_id: int(['分片上传', 'Upload in parts']),
      sha256: text(['SHA-256', 'SHA-256'], { max: 64, rules: [rules.length(64, 64)] }),
      ...described,
    },
    output: idOutput,
  },
  begin: {
    kind: 'auth',
    path: 'file/upload',
    summary: ['开始或继续分片上传', 'Start or resume an upload in chunks'],
    input: {
      file_name: text(['文件名', 'File name'], { required: true, max: 128 }),
      size: bytes(['文件大小', 'Size'], { required: true, rules: [rules.number_range(1, limits.fileBytes)] }),
      type: fields.type,
      mark: text(['标识', 'Mark'], { required: true, max: 256 }),
    },
    output: {
      id: idOutput.id,
      received: bytes(['已接收', 'Received'], { required: true }),
      part_size: bytes(['分片大小', 'Part size'], { required: true }),
    },
  },
  uploadChunk: {
    kind: 'auth',
    method: 'PUT',
    path: 'file/upload/{id}',
    summary: ['上传一个分片', 'Upload one chunk'],
    input: {
      offset: bytes(['偏移', 'Offset'], { required: true }),
      part: file(['分片', 'Part'], { upload: fileChunk }),
    },
    output: { received: bytes(['已接收', 'Received'], { required: true }) },
  },
  update: { kind: 'update', path: 'file/{id}', summary: ['修改文件', 'Change a file'], input: editFields, versioned: true },
  remove: { kind: 'delete', path: 'file/{id}', summary: ['删除文件', 'Delete a file'] },
  download: { kind: 'file', path: 'file/download/{id}', summary: ['下载文件', 'Download a file'] },
  option: {
    kind: 'option',
    path: 'file/option',
    access: 'session',
    summary: ['文件选项', 'Option list of files'],
    shape: shape<Record<string, string>>(),
  },
  send: {
    kind: 'command',
    path: 'file/send',
    summary: ['下发文件', 'Send files to devices'],
    input: { ...sendFields, file_ids },
    shape: batchShape,
  },
  estimate: {
    kind: 'tree',
    path: 'file/estimate',
    summary: ['下发流量与时间估算', 'Estimate the traffic and time of sending files'],
    input: { ids: file_ids, device_ids: sendFields.device_ids },
    shape: shape<{ notes: readonly PreviewNote[] }>(),
  },
});

const unused = (row: AnyRow) => row.in_use !== true;

export const fileList = page({
  ...headOf('fileList'),
  resource: fileResource,
  list: fileCalls.list,
  forms: {
    upload: form(['上传文件', 'Upload file'], uploadFields),
    edit: form(['编辑文件', 'Edit file'], editFields),
    send: { ...form(['下发文件', 'Send file'], sendFields, 720), preview: fileCalls.estimate },
  },
  actions: {
    upload: { on: 'toolbar', label: ['上传文件', 'Upload'], call: fileCalls.create, form: 'upload' },
    send: {
      on: 'both',
      label: ['下发', 'Send'],
      call: fileCalls.send,
      form: 'send',
      params: { file_ids: ':ids' },
      done: ['下发任务已创建', 'Distribution started'],
      progressRoute: '/file/log',
    },
    tasks: { on: 'toolbar', label: ['下发任务', 'Distribution tasks'], to: '/file/log' },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: fileCalls.update, form: 'edit' },
    download: { on: 'row', label: ['下载', 'Download'], call: fileCalls.download, download: true },
    taskList: { on: 'row', label: ['下发记录', 'Tasks'], call: fileTaskCalls.list, params: { file_id: ':id' } },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: fileCalls.remove,
      danger: true,
      when: unused,
      why: ['有未结束的下发任务正在使用该文件', 'An unfinished task uses this file'],
      confirm: [
        '文件将从平台删除，已下发到设备的不受影响。确定要删除该文件吗？',
        'The file is deleted from the platform; copies on devices stay. Delete this file?',
      ],
    },
  },
});
