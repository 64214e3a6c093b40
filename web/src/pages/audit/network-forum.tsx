import { networkForum } from '@farlink/contract/audit/network-forum.ts';
import { AuditPage } from './audit-page.tsx';

const NetworkForum = () => <AuditPage page={networkForum} />;
export default NetworkForum;
