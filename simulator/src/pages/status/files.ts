import type { TaskLook } from '../../files.ts';
import type { Row, StatusReader } from '../row.ts';

const archive = /\.(zip|gz|tgz|tar|bz2|xz|7z|rar)$/i;
const typeOf = ({ name }: TaskLook) => (archive.test(name) ? 'archive' : (name.split('.').at(-1) ?? 'file'));

export const distribution: StatusReader = (scene) => {
  const { files } = scene.box;
  return files.looks.map((look): Row => {
    const download = files.of(look.task);
    const rate = scene.box.rate() ?? 0;
    return {
      task_id: look.task,
      file_name: look.name,
      file_type: typeOf(look),
      size: look.size,
      operation: look.todo,
      mode: 'immediate',
      status: look.code,
      progress: download ? download.pct : look.code >= 100 && look.code < 200 ? 100 : 0,
      rate: download ? Math.round((rate * 8) / 1000) : 0,
      link: scene.wanName(look.link),
      start_at: look.start,
      finish_at: look.finish ?? null,
      error: look.err ?? '',
    };
  });
};
