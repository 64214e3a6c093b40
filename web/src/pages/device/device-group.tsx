import { deviceGroup } from '@farlink/contract/device/group.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const DeviceGroup = () => <ResourcePage page={deviceGroup} />;
export default DeviceGroup;
