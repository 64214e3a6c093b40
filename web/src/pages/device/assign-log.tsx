import { assignLog } from '@farlink/contract/device/assign-log.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const AssignLog = () => <ResourcePage page={assignLog} />;
export default AssignLog;
