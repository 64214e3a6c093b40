import { userAccount } from '@farlink/contract/user/user-account.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const UserAccount = () => <ResourcePage page={userAccount} />;
export default UserAccount;
