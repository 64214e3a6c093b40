import { calls } from '../kit/endpoint.ts';
import { choice, int, text, time, variant } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { auditFields, exact, stateExport } from './audit-fields.ts';
import { terminalOs } from './choices.ts';

export const terminalFields = {
  mac: variant(auditFields.mac, { sort: 'newest' }),
  brand: text(['终端品牌', 'Brand'], { width: 120 }),
  terminal_os: choice(['操作系统', 'System'], terminalOs, { width: 110 }),
  ssid: text(['接入SSID', 'SSID'], { width: 140, ...exact }),
  signal: int(['信号强度（dBm）', 'Signal (dBm)'], { hiddenByDefault: true, width: 130 }),
  account: variant(auditFields.account, { sort: false }),
  ip: variant(auditFields.ip, { hiddenByDefault: true }),
  device_name: auditFields.device_name,
  sn: auditFields.sn,
  first_at: time(['首次采集时间', 'First seen'], { sort: true, hiddenByDefault: true, width: 164 }),
  last_at: time(['最近采集时间', 'Last seen'], { sort: true, months: limits.queryMonths, width: 164 }),
  agent_name: auditFields.agent_name,
  device_id: auditFields.device_id,
  vno_id: auditFields.vno_id,
};

export const terminalRows = resource({
  fields: terminalFields,
  title: ['mac', 'account'],
  columns: ['mac', 'brand', 'terminal_os', 'ssid', 'signal', 'account', 'ip', 'device_name', 'sn', 'first_at', 'last_at', 'agent_name'],
  filters: ['mac', 'device_id', 'account', 'terminal_os', 'last_at', 'ssid', 'vno_id'],
  orderby: 'last_at desc',
});

/** The list is a view of the authentication records. */
export const terminalView = {
  view: choice(['视图', 'View'], [{ id: 'terminal', label: ['终端采集', 'Terminals'] }], { hidden: true }),
};

export const auditTerminalCalls = calls('audit', ['terminal_acquisition'], {
  export: {
    ...stateExport,
    path: 'audit/export/terminal',
    summary: ['导出终端采集', 'Export terminals'],
    resource: terminalRows,
    input: { ...stateExport.input, ...terminalView },
  },
});
