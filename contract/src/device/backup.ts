import { exportFormat, exportOutput } from '../export/export.ts';
import { exportLogFields } from '../export/export-log.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls } from '../kit/endpoint.ts';
import { bytes, choice, link, longText, option, options, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { across } from '../kit/rule.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

export const backupType = [
  { id: 'manual', label: ['手动备份', 'Manual'], color: 'blue' },
  { id: 'auto', label: ['自动备份', 'Automatic'], color: 'green' },
] as const;

export const backup = resource({
  fields: {
    device_name: link(['设备名称', 'Device'], { tooltip: true, width: 150, to: '/device/detail/:device_id' }),
    sn: text(['设备SN', 'SN'], { match: 'code', mono: true, rules: [rules.sn], max: 64, width: 120 }),
    file_name: text(['备份文件', 'Backup file'], { sort: true, tooltip: true, width: 256 }),
    backup_type: choice(['备份方式', 'Backup type'], backupType, { width: 92 }),
    version: text(['设备版本', 'Version'], { match: 'code', mono: true, width: 92 }),
    size: bytes(['文件大小', 'Size'], { sort: true, width: 100 }),
    md5: text(['MD5', 'MD5'], { tooltip: true, mono: true, hiddenByDefault: true }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
    operator: text(['操作人', 'Operator'], { width: 90 }),
    remark: text(['备注', 'Remark'], { tooltip: true, hiddenByDefault: true }),
    create_at: time(['备份时间', 'Backed up at'], { sort: true }),
    device_id: option(['设备', 'Device'], 'device/option'),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['file_name', 'device_name'],
  columns: ['device_name', 'sn', 'file_name', 'backup_type', 'version', 'size', 'md5', 'agent_name', 'operator', 'remark', 'create_at'],
  filters: ['device_id', 'sn', 'backup_type', 'version', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

const backupExport = resource({
  fields: exportLogFields,
  title: ['job_id', 'file_name'],
  columns: ['job_id', 'file_name', 'status', 'progress', 'total', 'file_size', 'operator', 'create_at', 'finish_at', 'file_url'],
  filters: ['status', 'create_at'],
  orderby: 'create_at desc',
});

const makeFields = {
  device_ids: options(['设备', 'Devices'], 'device/option', {
    required: true,
    rules: [
      across('devices_max', [`一次最多${limits.selectionMax}台设备`, `At most ${limits.selectionMax} devices at a time`], (value) => {
        return Array.isArray(value) && value.length <= limits.selectionMax;
      }),
    ],
  }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes] }),
};

export const backupCalls = calls('device', ['backup_list'], {
  list: { kind: 'list', path: 'device_backup/list', summary: ['查询配置备份', 'List configuration backups'], resource: backup },
  make: { kind: 'command', path: 'device_backup/make', summary: ['立即备份', 'Back up devices now'], input: makeFields, shape: batchShape },
  download: { kind: 'file', path: 'device_backup/download/{id}', summary: ['下载备份文件', 'Download a backup file'] },
  export: {
    kind: 'export',
    path: 'device_backup/export',
    summary: ['批量导出备份', 'Start an export of backups'],
    input: {
      ids,
      /** Format of the list in the ZIP file. */
      format: choice(['清单格式', 'Format of the list'], exportFormat, { default: 'csv' }),
    },
    output: exportOutput,
  },
  exports: {
    kind: 'list',
    path: 'device_backup/export',
    summary: ['备份导出记录', 'List the export jobs of backups'],
    resource: backupExport,
  },
});

export const backupList = page({
  ...headOf('backupList'),
  resource: backup,
  list: backupCalls.list,
  forms: { make: form(['立即备份', 'Back up now'], makeFields, 720) },
  actions: {
    make: {
      on: 'toolbar',
      label: ['立即备份', 'Back up now'],
      call: backupCalls.make,
      form: 'make',
      done: ['已通知设备备份，完成后显示在列表中', 'Backup requested. Backups appear in the list when complete.'],
    },
    export: {
      on: 'batch',
      label: ['批量导出', 'Export backups'],
      call: backupCalls.export,
    },
    exportJobs: { on: 'toolbar', label: ['导出记录', 'Export jobs'], call: backupCalls.exports },
    download: { on: 'row', label: ['下载', 'Download'], call: backupCalls.download, download: true },
  },
});
