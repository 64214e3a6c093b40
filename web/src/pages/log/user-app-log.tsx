import { userAppLog } from '@farlink/contract/log/user-app-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const UserAppLog = () => <ResourcePage page={userAppLog} />;
export default UserAppLog;
