import { virtualIdentity } from '@farlink/contract/audit/virtual-identity.ts';
import { AuditPage } from './audit-page.tsx';

const VirtualIdentity = () => <AuditPage page={virtualIdentity} />;
export default VirtualIdentity;
