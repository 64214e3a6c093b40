import { manageDpi, trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { call } from '../../kit/net/call.ts';
import { TrafficPage } from './traffic-page.tsx';

const quiet = { silent: true, overlay: false };

const ManageDpi = () => (
  <TrafficPage
    page={manageDpi}
    trend={(filters) => call(trafficCalls.manageDpiTrend, filters, quiet)}
    rank={(filters) => call(trafficCalls.manageDpiRank, filters, quiet)}
  />
);
export default ManageDpi;
