import { assignLog } from '@farlink/contract/device/assign-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const AssignLog = () => <ResourcePage page={assignLog} />;
export default AssignLog;
