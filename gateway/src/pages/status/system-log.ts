import { logLevels } from '../../choices.ts';
import { choice, ipv4, longText, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const statusSystemLog = log('status_system_log', {
  title: ['系统日志', 'System log'],
  summary: ['网关各服务的运行日志，最新记录在前。', 'Operating messages of the gateway services, newest first.'],
  fields: {
    time: time(['时间', 'Time']),
    level: choice(['级别', 'Level'], logLevels),
    module: text(['模块', 'Module']),
    operator: text(['操作人', 'Operator']),
    source_ip: ipv4(['来源地址', 'Source address']),
    message: longText(['内容', 'Message']),
  },
});
