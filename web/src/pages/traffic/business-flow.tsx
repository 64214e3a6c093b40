import { businessFlow, trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { call } from '../../kit/net/call.ts';
import { TrafficPage } from './traffic-page.tsx';

const quiet = { silent: true, overlay: false };

const BusinessFlow = () => <TrafficPage page={businessFlow} trend={(filters) => call(trafficCalls.businessFlowTrend, filters, quiet)} />;
export default BusinessFlow;
