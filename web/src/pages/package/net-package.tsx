import { netPackage } from '@farlink/contract/package/package.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const NetPackage = () => <ResourcePage page={netPackage} />;
export default NetPackage;
