import { linkStatusColor } from '@farlink/contract/device/link-status-color.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const LinkStatusColor = () => <ResourcePage page={linkStatusColor} />;
export default LinkStatusColor;
