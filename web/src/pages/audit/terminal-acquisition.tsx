import { terminalAcquisition } from '@farlink/contract/audit/auth-account.ts';
import { AuditPage } from './audit-page.tsx';

const TerminalAcquisition = () => <AuditPage page={terminalAcquisition} />;
export default TerminalAcquisition;
