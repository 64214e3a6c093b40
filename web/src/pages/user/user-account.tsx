import { userAccount } from '@farlink/contract/user/open-config.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const UserAccount = () => <ResourcePage page={userAccount} />;
export default UserAccount;
