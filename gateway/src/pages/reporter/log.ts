import { dpiStates } from '../../choices.ts';
import { choice, int, ref, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const reporterLog = log('reporter_log', {
  title: ['上报日志', 'Report log'],
  summary: ['查看上报的内容、所用链路、大小和结果。', 'Reported content, link, size and result.'],
  fields: {
    time: time(['时间', 'Time']),
    type: choice(['类型', 'Type'], {
      traffic: ['流量', 'Traffic'],
      dpi: ['DPI', 'DPI'],
      audit: ['审计', 'Audit'],
      fence: ['围栏', 'Fence'],
      link: ['链路切换', 'Link change'],
      backup: ['备份', 'Backup'],
    }),
    task: text(['任务', 'Task']),
    records: int(['记录数', 'Records']),
    size: int(['大小（B）', 'Size (B)']),
    link: ref(['链路', 'Link'], 'network_wan'),
    status: choice(['状态', 'Status'], dpiStates),
    attempts: int(['尝试次数', 'Attempts']),
    error: text(['错误', 'Error']),
  },
});
