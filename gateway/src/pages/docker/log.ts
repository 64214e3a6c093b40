import { choice, int, longText, ref, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const dockerLog = log('docker_log', {
  title: ['容器日志', 'Container log'],
  summary: ['查看Docker引擎事件和容器输出。', 'Engine events and container output.'],
  fields: {
    time: time(['时间', 'Time']),
    container: ref(['容器', 'Container'], 'docker_container'),
    event: choice(['事件', 'Event'], {
      start: ['启动', 'Start'],
      stop: ['停止', 'Stop'],
      die: ['异常退出', 'Died'],
      oom: ['内存超限', 'Out of memory'],
      pull: ['拉取镜像', 'Pull'],
      update: ['更新', 'Update'],
      output: ['输出', 'Output'],
    }),
    stream: choice(['流', 'Stream'], {
      stdout: ['标准输出', 'Standard output'],
      stderr: ['标准错误', 'Standard error'],
      engine: ['引擎', 'Engine'],
    }),
    exit_code: int(['退出码', 'Exit code']),
    message: longText(['内容', 'Message']),
  },
});
