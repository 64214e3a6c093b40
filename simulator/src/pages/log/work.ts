import type { TaskRecord } from '../../files.ts';
import type { LogReader, LogRow } from '../row.ts';
import { earlier, life, newestFirst } from '../timeline.ts';
import { accountsOf, phoneOf } from './access.ts';

const actionNames: Readonly<Record<string, string>> = {
  start: 'start',
  stop: 'stop',
  restart: 'start',
  install: 'pull',
  uninstall: 'stop',
};

/** `2026-08-01T12:00:00.000Z listening on :8080` */
const outputOf = (container: string, line: string): LogRow[] => {
  const [at = '', ...rest] = line.split(' ');
  const time = Math.floor(Date.parse(at) / 1000);
  const message = rest.join(' ');
  const stream = /error|panic/.test(message) ? 'stderr' : 'stdout';
  return Number.isFinite(time) ? [{ time, container, event: 'output', stream, exit_code: 0, message }] : [];
};

export const dockerLog: LogReader = (snapshot, before) => {
  const engine = snapshot.gateway.memory.of('docker').map(({ t, doc }): LogRow => {
    const died = doc.st === 2;
    return {
      time: t,
      container: String(doc.name),
      stream: 'engine',
      exit_code: died ? 137 : 0,
      event: died ? 'die' : (actionNames[String(doc.act)] ?? 'update'),
      message: died ? 'the container exited' : `${String(doc.act ?? 'update')} ${String(doc.img ?? '')}`.trim(),
    };
  });
  const lines = snapshot.gateway.containers
    .logs()
    .split('\n== ')
    .flatMap((text) => {
      const [head = '', ...rest] = text.replace(/^== /, '').split('\n');
      return rest.flatMap((line) => outputOf(head.split(' ')[0] ?? '', line));
    });
  const names = snapshot.gateway.containers.info().map(({ name }) => String(name));
  const days = life(snapshot, 'containers', { every: 14_400, before, until: snapshot.gateway.memory.since }, (random, time) => {
    const container = names[random.int(0, names.length - 1)];
    return container === undefined
      ? []
      : [{ time, container, event: 'output', stream: 'stdout', exit_code: 0, message: 'health check passed' }];
  });
  return newestFirst(earlier([...engine, ...lines], before), days);
};

const taskRows = (record: TaskRecord): LogRow[] => {
  const row = { file_name: record.name, task_id: record.task, status: record.code, user: 'platform', ip: '127.0.0.1', size: record.size };
  const ended =
    record.finish === undefined
      ? []
      : [{ ...row, time: record.finish, event: record.code === 255 ? 'delete' : record.todo === 'none' ? 'download' : record.todo }];
  return ended.map((one) => ({
    ...one,
    result: (record.code >= 200 && record.code !== 255) || record.code === 101 || record.code === 102 ? 'fail' : 'success',
  }));
};

const shared = ['noon-report.xlsx', 'charts-2026-31.zip', 'crew-list.pdf', 'safety-drill.mp4', 'manual-me-b.pdf'] as const;

export const fileLog: LogReader = (snapshot, before) =>
  newestFirst(
    earlier(snapshot.gateway.files.records.flatMap(taskRows), before),
    life(snapshot, 'share', { every: 7200, before }, (random, time) => {
      const user = random.pick(accountsOf(snapshot));
      return [
        {
          time,
          event: random.pick(['share_read', 'share_read', 'share_write']),
          file_name: random.pick(shared),
          task_id: '-',
          status: 100,
          user,
          ip: phoneOf(snapshot, user).ip,
          size: random.int(20_000, 90_000_000),
          result: random.chance(0.95) ? 'success' : 'fail',
        },
      ];
    }),
  );

const reports = ['traffic', 'traffic', 'traffic', 'dpi', 'audit', 'link', 'fence', 'backup'] as const;

export const reporterLog: LogReader = (snapshot, before) =>
  life(snapshot, 'report', { every: 600, before }, (random, time) => {
    const type = random.pick(reports);
    const isFailed = random.chance(0.04);
    const records = random.int(1, 400);
    return [
      {
        time,
        type,
        records,
        size: records * random.int(40, 220),
        link: snapshot.active?.name ?? '',
        task: `${type}-${Math.floor(time / 600).toString(36)}`,
        status: isFailed ? 4 : random.pick([2, 9]),
        attempts: isFailed ? random.int(2, 5) : 1,
        error: isFailed ? 'no answer within 30 s' : '',
      },
    ];
  });
