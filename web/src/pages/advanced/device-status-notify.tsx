import { deviceStatusNotify } from '@farlink/contract/advanced/status-notify.ts';
import { NotifyPage } from './notify-page.tsx';

export default () => <NotifyPage page={deviceStatusNotify} />;
