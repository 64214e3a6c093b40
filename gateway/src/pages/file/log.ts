import { fileTaskStates, results } from '../../choices.ts';
import { choice, int, ipv4, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const fileLog = log('file_log', {
  title: ['文件日志', 'File log'],
  summary: ['查看文件下载、操作和共享访问记录。', 'Downloads, operations and share access.'],
  fields: {
    time: time(['时间', 'Time']),
    event: choice(['事件', 'Event'], {
      download: ['下载', 'Download'],
      install: ['安装', 'Install'],
      decompress: ['解压', 'Decompress'],
      execute: ['执行', 'Execute'],
      delete: ['删除', 'Delete'],
      share_read: ['共享读取', 'Share read'],
      share_write: ['共享写入', 'Share write'],
    }),
    file_name: text(['文件名', 'File name']),
    task_id: text(['任务编号', 'Task ID']),
    status: choice(['任务状态', 'Task status'], fileTaskStates),
    user: text(['用户', 'User']),
    ip: ipv4(['IP地址', 'IP address']),
    size: int(['大小（B）', 'Size (B)']),
    result: choice(['结果', 'Result'], results),
  },
});
