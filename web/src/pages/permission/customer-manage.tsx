import { customerManage, staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { openAs } from '../../kit/actions/open-as.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

export default () => <ResourcePage page={customerManage} run={{ login: (row) => openAs(staffCalls.login, row.id) }} />;
