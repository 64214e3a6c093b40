import { deviceList } from '@farlink/contract/device/device-list.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { useLiveList } from '../../kit/live/use-live.ts';
import { useDeviceDrawers } from './detail/device-drawers.tsx';
import { useRemote } from './remote/use-remote.tsx';

/** The rows are updated live. */
const DeviceList = () => {
  useLiveList(deviceList.key);
  const drawers = useDeviceDrawers();
  const remote = useRemote();
  return (
    <>
      <ResourcePage page={deviceList} run={{ ...drawers.run, ...remote.run }} />
      {drawers.open}
      {remote.open}
    </>
  );
};
export default DeviceList;
