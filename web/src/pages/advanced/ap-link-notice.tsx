import { apLinkNotice } from '@farlink/contract/advanced/ap-notify.ts';
import { NotifyPage } from './notify-page.tsx';

export default () => <NotifyPage page={apLinkNotice} />;
