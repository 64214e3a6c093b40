import { roleManage } from '@farlink/contract/permission/role.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

export default () => <ResourcePage page={roleManage} />;
