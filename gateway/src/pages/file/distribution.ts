import { fileTaskStates } from '../../choices.ts';
import { choice, int, percent, rate, ref, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const fileDistribution = status('file_distribution', {
  title: ['分发任务', 'Distribution tasks'],
  summary: [
    '查看平台下发到本网关的文件、进度和文件服务状态码。',
    'Files the platform sends to this gateway, with progress and the status codes of the file service.',
  ],
  fields: {
    task_id: text(['任务编号', 'Task ID']),
    file_name: text(['文件名', 'File name']),
    file_type: text(['类型', 'Type']),
    size: int(['大小（B）', 'Size (B)']),
    operation: choice(['下发操作', 'Operation'], {
      none: ['无', 'None'],
      install: ['安装', 'Install'],
      decompress: ['解压', 'Decompress'],
      execute: ['执行', 'Execute'],
    }),
    mode: choice(['下发方式', 'Send mode'], { immediate: ['立即', 'Immediate'], timed: ['定时', 'Timed'] }),
    status: choice(['状态', 'Status'], fileTaskStates),
    progress: percent(['进度', 'Progress']),
    rate: rate(['速率', 'Rate']),
    link: ref(['链路', 'Link'], 'network_wan'),
    start_at: time(['开始时间', 'Started']),
    finish_at: time(['完成时间', 'Finished']),
    error: text(['错误', 'Error']),
  },
});
