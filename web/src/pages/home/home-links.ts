import type { Attention } from '@farlink/contract/device/attention.ts';
import type { FleetState, Range, RunningFigures } from '@farlink/contract/home/summary.ts';
import { headOf, type PageKey } from '@farlink/contract/menu.ts';

type Filters = Readonly<Record<string, string | number>>;

/** A page with these filters set. */
const pathTo = (page: PageKey, filters: Filters = {}): string => {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? headOf(page).route : `${headOf(page).route}?${query}`;
};

const createdIn = ({ start_at, end_at }: Range): Filters => ({ create_at_start: start_at, create_at_end: end_at });

/** The page behind each figure. Its total is the figure. */
export const homeLinks = {
  devices: (filters: Filters = {}) => pathTo('deviceList', filters),
  device: (id: number) => headOf('deviceDetail').route.replace(':id', String(id)),
  deviceState: (state: FleetState) =>
    pathTo('deviceList', state === 'l_band' ? { network: 'l_band', online_state: 1 } : { online_state: state === 'online' ? 1 : 0 }),
  attention: (attention: Attention) => pathTo('deviceList', { attention }),
  users: (filters: Filters = {}) => pathTo('userList', filters),
  income: (range: Range) => pathTo('billCounter', createdIn(range)),
  orders: (range: Range) => pathTo('billOnline', createdIn(range)),
  traffic: () => pathTo('businessFlow', { stat_by: 'day' }),
  trafficOf: ({ start_at, end_at }: Range) => pathTo('businessFlow', { stat_by: 'day', time_start: start_at, time_end: end_at }),
  trafficHours: ({ start_at, end_at }: Range) => pathTo('businessFlow', { stat_by: 'hour', time_start: start_at, time_end: end_at }),
  applications: () => pathTo('businessDpi', { stat_by: 'day' }),
  application: (id: string) => pathTo('businessDpi', { stat_by: 'day', protocol_id: id }),
  feedback: () => pathTo('feedbackList', { status: 0 }),
} as const;

export const runningLinks: Readonly<Record<keyof RunningFigures, string>> = {
  firmware: pathTo('firmwareCampaign', { state: 'running' }),
  config: pathTo('configCampaign', { state: 'running' }),
  file: pathTo('fileLog', { state: 'running' }),
  portal: pathTo('advertTemp'),
  dpi: pathTo('dpiSend', { status: 1 }),
};
