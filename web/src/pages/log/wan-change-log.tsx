import { wanChangeLog } from '@farlink/contract/log/wan-change-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const WanChangeLog = () => <ResourcePage page={wanChangeLog} />;
export default WanChangeLog;
