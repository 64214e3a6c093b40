import { wanChangeLog } from '@farlink/contract/log/wan-change.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const WanChangeLog = () => <ResourcePage page={wanChangeLog} />;
export default WanChangeLog;
