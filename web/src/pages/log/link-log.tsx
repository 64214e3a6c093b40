import { linkLog } from '@farlink/contract/log/link-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const LinkLog = () => <ResourcePage page={linkLog} />;
export default LinkLog;
