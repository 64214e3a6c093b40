import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { portalTaskList } from '@farlink/contract/market/portal-send.ts';
import { t } from '../../kit/chrome/lang.ts';
import { EmbeddedList } from '../../kit/list/embedded-list.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';
import { Panel } from '../../ui/native/panel.tsx';

/** Waiting, downloading or installing. */
const isUnderWay = (row: AnyRow) => row.ended !== true;

/** Send records of portals, with progress and reasons. */
const PortalTasks = ({ onClose }: { readonly onClose: () => void }) => {
  usePollWhileRunning(portalTaskList.key, isUnderWay);
  return (
    <Panel title={t(portalTaskList.title)} width={1120} onClose={onClose}>
      <EmbeddedList page={portalTaskList} params={{}} />
    </Panel>
  );
};
export default PortalTasks;
