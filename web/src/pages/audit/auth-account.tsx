import { authAccount } from '@farlink/contract/audit/auth-account.ts';
import { AuditPage } from './audit-page.tsx';

const AuthAccount = () => <AuditPage page={authAccount} />;
export default AuthAccount;
