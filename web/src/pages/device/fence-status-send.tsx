import { fenceStatusSend } from '@farlink/contract/device/fence-status.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const FenceStatusSend = () => <ResourcePage page={fenceStatusSend} />;
export default FenceStatusSend;
