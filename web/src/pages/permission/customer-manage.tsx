import { customerManage, staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { enterAs } from '../../kit/enter-as.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

export default () => <ResourcePage page={customerManage} run={{ login: (row) => enterAs(staffCalls.login, row.id) }} />;
