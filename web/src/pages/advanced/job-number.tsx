import { jobNumber, staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { enterAs } from '../../kit/enter-as.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

export default () => <ResourcePage page={jobNumber} run={{ login: (row) => enterAs(staffCalls.login, row.id) }} />;
