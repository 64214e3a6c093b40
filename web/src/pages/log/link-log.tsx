import { linkLog } from '@farlink/contract/log/link-log.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const LinkLog = () => <ResourcePage page={linkLog} />;
export default LinkLog;
