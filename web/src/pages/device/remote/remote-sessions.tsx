import { remoteHistory } from '@farlink/contract/device/remote.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { Panel } from '../../../ui/native/panel.tsx';
import RemoteSessionList from './remote-session-list.tsx';

interface RemoteSessionsProps {
  readonly device: AnyRow;
  readonly onClose: () => void;
}

const RemoteSessions = ({ device, onClose }: RemoteSessionsProps) => (
  <Panel title={`${t(remoteHistory.label)} · ${String(device.name ?? device.sn ?? '')}`} width={1180} onClose={onClose}>
    <RemoteSessionList id={device.id} />
  </Panel>
);
export default RemoteSessions;
