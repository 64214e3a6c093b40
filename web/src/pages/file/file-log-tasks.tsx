import { fileTask, fileTaskCalls, isUnfinished } from '@farlink/contract/file/file-log.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { t } from '../../kit/chrome/lang.ts';
import PlainList from '../../kit/list/plain-list.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';
import { Panel } from '../../ui/native/panel.tsx';

const tasks = {
  key: 'fileTasks',
  title: ['下发记录', 'Tasks'],
  list: fileTaskCalls.list,
  resource: {
    ...fileTask,
    columns: ['task_no', 'operation', 'state', 'device_count', 'success_count', 'fail_count', 'progress', 'create_at'],
  },
} as const;

/** Tasks of one file and their progress. */
const FileTasks = ({ file, onClose }: { readonly file: AnyRow; readonly onClose: () => void }) => {
  usePollWhileRunning(tasks.key, isUnfinished);
  return (
    <Panel title={`${t(tasks.title)} · ${String(file.name)}`} width={960} onClose={onClose}>
      <PlainList page={tasks} params={{ file_id: file.id }} />
    </Panel>
  );
};
export default FileTasks;
