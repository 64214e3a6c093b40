import { networkURL } from '@farlink/contract/audit/network-url.ts';
import { AuditPage } from './audit-page.tsx';

const NetworkUrl = () => <AuditPage page={networkURL} />;
export default NetworkUrl;
