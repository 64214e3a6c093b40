import { fileTaskCalls, fileTaskDevice, fileTaskDeviceActions } from '@farlink/contract/file/file-log.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { t } from '../../kit/chrome/lang.ts';
import { EmbeddedList } from '../../kit/list/embedded-list.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';
import { Panel } from '../../ui/native/panel.tsx';

const devices = {
  key: 'fileTaskDevice',
  title: ['设备明细', 'Device details'],
  list: fileTaskCalls.detail,
  resource: fileTaskDevice,
  actions: fileTaskDeviceActions,
} as const;

/** Waiting, downloading or paused; or a delete is pending. */
const isUnderWay = (row: AnyRow) => Number(row.status) < 100 || row.pending === true;

/** The devices of one task with progress and reasons. */
const TaskDevices = ({ task, onClose }: { readonly task: AnyRow; readonly onClose: () => void }) => {
  usePollWhileRunning(devices.key, isUnderWay);
  return (
    <Panel title={`${t(devices.title)} · ${String(task.task_no)} · ${String(task.file_name)}`} width={1120} onClose={onClose}>
      <EmbeddedList page={devices} params={{ id: task.id }} />
    </Panel>
  );
};
export default TaskDevices;
