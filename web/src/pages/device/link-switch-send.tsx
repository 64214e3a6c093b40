import { linkSwitchSend } from '@farlink/contract/device/link-switch-send.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const LinkSwitchSend = () => <ResourcePage page={linkSwitchSend} />;
export default LinkSwitchSend;
