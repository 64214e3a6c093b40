import { appTemp } from '@farlink/contract/package/package-template.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const AppTemp = () => <ResourcePage page={appTemp} />;
export default AppTemp;
