import { apLinkNotice } from '@farlink/contract/advanced/ap-link-notice.ts';
import { NotifyPage } from './notify-page.tsx';

export default () => <NotifyPage page={apLinkNotice} />;
