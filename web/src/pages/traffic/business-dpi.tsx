import { businessDpi, trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { call } from '../../kit/net/call.ts';
import { TrafficPage } from './traffic-page.tsx';

const quiet = { silent: true, overlay: false };

const BusinessDpi = () => (
  <TrafficPage
    page={businessDpi}
    trend={(filters) => call(trafficCalls.businessDpiTrend, filters, quiet)}
    rank={(filters) => call(trafficCalls.businessDpiRank, filters, quiet)}
  />
);
export default BusinessDpi;
