import { authorizationManage } from '@farlink/contract/advanced/authorization.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

export default () => <ResourcePage page={authorizationManage} />;
