import { apLinkLog } from '@farlink/contract/log/ap-link-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const ApLinkLog = () => <ResourcePage page={apLinkLog} />;
export default ApLinkLog;
