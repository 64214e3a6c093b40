import { userBill } from '@farlink/contract/user/user-bill.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const UserBill = () => <ResourcePage page={userBill} />;
export default UserBill;
