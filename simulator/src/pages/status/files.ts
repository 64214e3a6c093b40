import type { TaskRecord } from '../../files.ts';
import type { Row, StatusReader } from '../row.ts';

const archive = /\.(zip|gz|tgz|tar|bz2|xz|7z|rar)$/i;
const typeOf = ({ name }: TaskRecord) => (archive.test(name) ? 'archive' : (name.split('.').at(-1) ?? 'file'));

export const distribution: StatusReader = (snapshot) => {
  const { files } = snapshot.gateway;
  return files.records.map((record): Row => {
    const download = files.of(record.task);
    const rate = snapshot.gateway.rate() ?? 0;
    return {
      task_id: record.task,
      file_name: record.name,
      file_type: typeOf(record),
      size: record.size,
      operation: record.todo,
      mode: 'immediate',
      status: record.code,
      progress: download ? download.pct : record.code >= 100 && record.code < 200 ? 100 : 0,
      rate: download ? Math.round((rate * 8) / 1000) : 0,
      link: snapshot.wanName(record.link),
      start_at: record.start,
      finish_at: record.finish ?? null,
      error: record.err ?? '',
    };
  });
};
