import { calls } from '../kit/endpoint.ts';
import { choice, option, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { opResult } from '../user/choices.ts';

export const firmwareLog = resource({
  fields: {
    version: text(['版本号', 'Version'], { sort: true, mono: true, width: 100 }),
    model: text(['适用型号', 'Model'], { tooltip: true, width: 140 }),
    file_name: text(['文件名', 'File name'], { tooltip: true, width: 200 }),
    operator: text(['下载人', 'Downloaded by']),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 150, to: references.vno }),
    ip: text(['下载IP', 'IP'], { mono: true, width: 130 }),
    result: choice(['结果', 'Result'], opResult),
    create_at: time(['下载时间', 'Downloaded at'], { sort: true, months: limits.queryMonths }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['version', 'operator'],
  columns: ['version', 'model', 'file_name', 'operator', 'agent_name', 'ip', 'result', 'create_at'],
  filters: ['version', 'operator', 'vno_id', 'result', 'create_at', 'model'],
  orderby: 'create_at desc',
});

export const firmwareLogCalls = calls('firmware', ['download_log'], {
  list: { kind: 'list', path: 'firmware/log', summary: ['查询固件下载日志', 'List firmware downloads'], resource: firmwareLog },
});

export const downloadLog = page({
  ...headOf('downloadLog'),
  resource: firmwareLog,
  list: firmwareLogCalls.list,
  forms: {},
  actions: {},
});
