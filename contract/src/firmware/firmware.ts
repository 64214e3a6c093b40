import { calls, shape } from '../kit/endpoint.ts';
import { bytes, choice, file, int, longText, option, options, pick, tags, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { across } from '../kit/rule.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { rules, uploads } from '../rules.ts';

export const displayRule = [
  { id: 'all', label: ['全部可见', 'Visible to all'], color: 'green' },
  { id: 'vno', label: ['按VNO显示', 'By VNO'], color: 'blue' },
  { id: 'device', label: ['按设备显示', 'By device'], color: 'cyan' },
] as const;

const modelNames = across(
  'models',
  [
    '最多20个型号，每个1-64位文字、数字、空格、点、下划线、连字符',
    'At most 20 models, each 1-64 letters, digits, spaces, dots, underscores or hyphens',
  ],
  (value) => Array.isArray(value) && value.length <= 20 && value.every((m) => /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(String(m))),
);

const fields = {
  version: text(['版本号', 'Version'], { required: true, rules: [rules.version], max: 25, sort: true, mono: true, width: 100 }),
  model: tags(['适用型号', 'Models'], { required: true, rules: [modelNames], suggest: 'firmware/model', width: 170 }),
  file_name: text(['文件名', 'File name'], { tooltip: true, hiddenByDefault: true, width: 200 }),
  size: bytes(['文件大小', 'Size'], { sort: true }),
  download_count: int(['下载次数', 'Downloads'], { sort: true }),
  remark: longText(['更新说明', 'Update description'], { required: true, rules: [rules.free_512], tooltip: true, width: 200 }),
  release_desc: longText(['发布说明', 'Release description'], { rules: [rules.free_512], tooltip: true, width: 150 }),
  display_rule: choice(['显示规则', 'Display rule'], displayRule, { required: true, default: 'all' }),
  display_targets: tags(['可见范围', 'Visible to'], { tooltip: true, hiddenByDefault: true }),
  operator: text(['上传人', 'Uploaded by'], { hiddenByDefault: true }),
  create_at: time(['上传时间', 'Upload time'], { sort: true }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

const visibility = {
  vno_ids: options(['可见VNO', 'VNOs'], 'agent/option', { required: true, when: (v) => v.display_rule === 'vno' }),
  device_ids: options(['可见设备', 'Devices'], 'device/option', { required: true, when: (v) => v.display_rule === 'device' }),
};

const described = { ...pick(fields, 'model', 'remark', 'release_desc', 'display_rule'), ...visibility };

const uploadFields = {
  file: file(['固件文件', 'Firmware file'], { required: true, upload: uploads.firmware }),
  version: fields.version,
  ...described,
};

const editFields = {
  version: text(fields.version.label, { rules: [rules.version], max: 25, readonly: true }),
  ...described,
  revision: int(['修订', 'Revision'], { required: true, hidden: true }),
};

export const firmware = resource({
  fields,
  title: ['version', 'file_name'],
  columns: [
    'version',
    'model',
    'file_name',
    'size',
    'download_count',
    'remark',
    'release_desc',
    'display_rule',
    'display_targets',
    'operator',
    'create_at',
  ],
  filters: ['version', 'model', 'display_rule', 'create_at', 'download_count', 'vno_id'],
  orderby: 'create_at desc',
});

export const firmwareCalls = calls('firmware', ['firmware_list'], {
  list: {
    kind: 'list',
    path: 'firmware',
    access: ['device_list', 'device_detail', 'firmware_list'],
    summary: ['查询固件', 'List firmware versions'],
    resource: firmware,
  },
  create: { kind: 'create', path: 'firmware', summary: ['上传固件', 'Upload a firmware version'], input: uploadFields, output: idOutput },
  read: {
    kind: 'detail',
    path: 'firmware/{id}',
    summary: ['查看固件', 'Read one firmware version'],
    output: {
      ...pick(fields, ...firmware.columns),
      sha256: text(['SHA-256', 'SHA-256'], { required: true, mono: true }),
      ...visibility,
      id: idOutput.id,
      revision: int(['修订', 'Revision'], { required: true, hidden: true }),
    },
  },
  update: { kind: 'update', path: 'firmware/{id}', summary: ['修改固件', 'Change a firmware version'], input: editFields },
  remove: { kind: 'delete', path: 'firmware/{id}', summary: ['删除固件', 'Delete a firmware version'] },
  download: { kind: 'file', path: 'firmware/download/{id}', summary: ['下载固件', 'Download a firmware file'] },
  models: {
    kind: 'option',
    path: 'firmware/model',
    summary: ['设备型号选项', 'Option list of device models'],
    shape: shape<Record<string, string>>(),
  },
});

export const firmwareList = page({
  ...headOf('firmwareList'),
  resource: firmware,
  list: firmwareCalls.list,
  forms: {
    upload: form(['上传固件', 'Upload firmware'], uploadFields, 640),
    edit: form(['编辑固件', 'Edit firmware'], editFields, 640),
  },
  actions: {
    upload: { on: 'toolbar', label: ['上传固件', 'Upload firmware'], call: firmwareCalls.create, form: 'upload', platform: 'admin' },
    campaigns: { on: 'toolbar', label: ['升级任务', 'Campaigns'], to: '/firmware/campaign' },
    detail: { on: 'row', label: ['详情', 'Details'], call: firmwareCalls.read },
    download: { on: 'row', label: ['下载', 'Download'], call: firmwareCalls.download, download: true },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: firmwareCalls.update, form: 'edit', platform: 'admin' },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: firmwareCalls.remove,
      danger: true,
      platform: 'admin',
      when: (row) => row.in_use !== true,
      why: ['有设备正在升级到该版本', 'Devices are being upgraded to this version'],
      confirm: [
        '删除后设备不能再升级到该版本。确定要删除该固件吗？',
        'Devices can no longer be upgraded to this version. Delete this firmware?',
      ],
    },
  },
});
