import { deviceStatusNotify } from '@farlink/contract/advanced/device-status-notify.ts';
import { NotifyPage } from './notify-page.tsx';

export default () => <NotifyPage page={deviceStatusNotify} />;
