import { extraPackage } from '@farlink/contract/package/extra-package.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const ExtraPackage = () => <ResourcePage page={extraPackage} />;
export default ExtraPackage;
