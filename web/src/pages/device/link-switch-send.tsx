import { linkSwitchSend } from '@farlink/contract/device/link-switch.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';

const LinkSwitchSend = () => <ResourcePage page={linkSwitchSend} />;
export default LinkSwitchSend;
