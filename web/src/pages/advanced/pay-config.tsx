import { payConfig } from '@farlink/contract/advanced/pay-config.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const PayConfig = () => <ResourcePage page={payConfig} />;
export default PayConfig;
