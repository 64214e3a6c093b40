import { fenceStatusSend } from '@farlink/contract/device/fence-status-send.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const FenceStatusSend = () => <ResourcePage page={fenceStatusSend} />;
export default FenceStatusSend;
