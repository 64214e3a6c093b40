import { userAccount } from '@farlink/contract/user/user-account.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const UserAccount = () => <ResourcePage page={userAccount} />;
export default UserAccount;
