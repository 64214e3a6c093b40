import { vnoPrefix } from '@farlink/contract/vno/vno-prefix.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

export default () => <ResourcePage page={vnoPrefix} />;
