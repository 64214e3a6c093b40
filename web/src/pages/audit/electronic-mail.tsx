import { electronicMail } from '@farlink/contract/audit/electronic-mail.ts';
import { AuditPage } from './audit-page.tsx';

const ElectronicMail = () => <AuditPage page={electronicMail} />;
export default ElectronicMail;
