import { controlTemp } from '@farlink/contract/package/package-template.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const ControlTemp = () => <ResourcePage page={controlTemp} />;
export default ControlTemp;
