import { accountSyncLog } from '@farlink/contract/log/account-sync-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const AccountSyncLog = () => <ResourcePage page={accountSyncLog} />;
export default AccountSyncLog;
