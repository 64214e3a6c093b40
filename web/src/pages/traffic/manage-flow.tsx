import { manageFlow, trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { call } from '../../kit/net/call.ts';
import { TrafficPage } from './traffic-page.tsx';

const quiet = { silent: true, overlay: false };

const ManageFlow = () => <TrafficPage page={manageFlow} trend={(filters) => call(trafficCalls.manageFlowTrend, filters, quiet)} />;
export default ManageFlow;
