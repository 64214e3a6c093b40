import { controlTemp } from '@farlink/contract/package/package-template.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const ControlTemp = () => <ResourcePage page={controlTemp} />;
export default ControlTemp;
