import { linkStatusColor } from '@farlink/contract/device/wan-color.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const LinkStatusColor = () => <ResourcePage page={linkStatusColor} />;
export default LinkStatusColor;
