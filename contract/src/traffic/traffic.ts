import { exportInput } from '../export/export.ts';
import type { RequestedExport } from '../export/export-log.ts';
import { calls, endpoint, shape } from '../kit/endpoint.ts';
import { bytes, choice, type Fields, int, link, option, progress, rate, text, time, variant } from '../kit/field.ts';
import { type Action, page } from '../kit/page.ts';
import { filterFields, type Resource, resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { network } from '../protocol/network.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { statBy } from './choices.ts';

/** Columns and filters of all four kinds; each list names those it has. */
const fields = {
  time: time(['统计时间', 'Time'], {
    sort: true,
    months: limits.queryMonths,
    width: 164,
    unset: [`默认近${limits.flowDays}天`, `Last ${limits.flowDays} days`],
  }),
  account: text(['上网账号', 'Online account'], { sort: true, match: 'code', tooltip: true, to: references.account, width: 130 }),
  service: text(['管理业务', 'Management service'], { sort: true, width: 130 }),
  protocol_name: text(['应用协议', 'Protocol'], { sort: true, tooltip: true, width: 150 }),
  category_name: text(['应用分类', 'Category'], { width: 130 }),
  protocol_id: text(['协议编号', 'Protocol ID'], { mono: true, hiddenByDefault: true, width: 100 }),
  device_name: link(['设备名称', 'Device'], { tooltip: true, to: references.device }),
  sn: text(['设备SN', 'SN'], { mono: true }),
  link: text(['链路', 'Link'], { width: 90 }),
  network: choice(['网络', 'Network'], network, { width: 100 }),
  up_bytes: bytes(['上行流量', 'Up traffic'], { sort: true, width: 110 }),
  down_bytes: bytes(['下行流量', 'Down traffic'], { sort: true, width: 110 }),
  total_bytes: bytes(['总流量', 'Total'], { sort: true, width: 110 }),
  up_speed: rate(['上行平均速率', 'Avg up speed'], { sort: true, hiddenByDefault: true, width: 130 }),
  down_speed: rate(['下行平均速率', 'Avg down speed'], { sort: true, hiddenByDefault: true, width: 130 }),
  peak_speed: rate(['峰值速率', 'Peak speed'], { sort: true, hiddenByDefault: true, width: 120 }),
  percent: progress(['占比', 'Share'], { width: 130 }),
  session_count: int(['会话数', 'Sessions'], { sort: true, hiddenByDefault: true, width: 100 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  device_id: option(['设备', 'Device'], 'device/option'),
  stat_by: choice(['统计粒度', 'Granularity'], statBy, { unset: ['默认按小时', 'Hourly by default'] }),
  device_group_id: option(['设备组', 'Device group'], 'device/group/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};
/** Shown as an identifier, but searched by name too. */
const dpiFields = {
  ...fields,
  sn: variant(fields.sn, { hiddenByDefault: true }),
  protocol_id: variant(fields.protocol_id, { label: ['协议编号', 'Protocol ID'] }),
};
const flowFields = { ...fields, network: variant(fields.network, { hiddenByDefault: true }) };

const sums = ['up_bytes', 'down_bytes', 'total_bytes'] as const;
const speeds = ['up_speed', 'down_speed', 'peak_speed'] as const;
const deviceColumns = ['device_name', 'sn'] as const;
const rest = ['device_group_id', 'vno_id', 'total_bytes'] as const;
const orderby = 'time desc';

export const businessFlowRows = resource({
  fields: flowFields,
  title: ['account', 'device_name'],
  columns: ['time', 'account', ...deviceColumns, 'link', 'network', ...sums, ...speeds, 'agent_name'],
  filters: ['account', 'device_id', 'stat_by', 'time', 'network', ...rest],
  orderby,
  sums,
});

export const manageFlowRows = resource({
  fields: flowFields,
  title: ['service', 'device_name'],
  columns: ['time', 'service', ...deviceColumns, 'link', 'network', ...sums, ...speeds, 'agent_name'],
  filters: ['service', 'device_id', 'stat_by', 'time', 'network', ...rest],
  orderby,
  sums,
});

const application = ['protocol_name', 'category_name', 'protocol_id'] as const;

export const businessDpiRows = resource({
  fields: dpiFields,
  title: ['protocol_name', 'account'],
  columns: ['time', ...application, 'account', ...deviceColumns, ...sums, 'percent', 'session_count', 'agent_name'],
  filters: ['account', 'device_id', 'protocol_id', 'stat_by', 'time', ...rest],
  orderby,
  sums,
});

export const manageDpiRows = resource({
  fields: dpiFields,
  title: ['protocol_name', 'device_name'],
  columns: ['time', ...application, ...deviceColumns, ...sums, 'percent', 'session_count', 'agent_name'],
  filters: ['device_id', 'protocol_id', 'stat_by', 'time', ...rest],
  orderby,
  sums,
});

/** Bytes of each interval of a chart. */
export interface TrafficSeries {
  readonly start_at: number;
  readonly end_at: number;
  readonly up_bytes: readonly number[];
  readonly down_bytes: readonly number[];
}

/** Traffic over time with the same filters as the list, and the period before. */
export interface TrafficTrend extends TrafficSeries {
  /** Seconds of one interval. */
  readonly step: number;
  readonly previous: TrafficSeries;
  /** All traffic measured before this time is included; null before the first rollup. */
  readonly as_of: number | null;
}

export interface TrafficShare {
  /** Id that the filter of the list takes: protocol, account or device. */
  readonly id: string;
  readonly name: string;
  readonly category: string | null;
  readonly up_bytes: number;
  readonly down_bytes: number;
  readonly total_bytes: number;
  /** Percentage of the filtered total. */
  readonly percent: number;
}

/** The largest applications, and the accounts and devices that used them. */
export interface TrafficRank {
  readonly start_at: number;
  readonly end_at: number;
  readonly total_bytes: number;
  readonly applications: readonly TrafficShare[];
  readonly accounts: readonly TrafficShare[];
  readonly devices: readonly TrafficShare[];
  readonly as_of: number | null;
}

/** The filters of a list as input of another call. */
const filtersAsInput = (r: Resource): Fields => {
  const params = filterFields(r);
  const { time_end: end } = params;
  const range = [rules.start_before_end('time_start'), rules.query_range('time_start', limits.queryMonths)];
  return { ...params, ...(end && { time_end: { ...end, rules: range } }) };
};

const ofSubscriber: Fields = { user_id: int(['用户', 'User'], { hidden: true }) };

const trendOf = <const P extends string, const K extends string>(path: P, key: K, r: Resource) =>
  endpoint({
    method: 'GET',
    path,
    kind: 'detail',
    module: 'flow',
    access: [key],
    summary: ['流量趋势', 'Traffic over time'],
    input: { ...filtersAsInput(r), ...(r.filters.includes('account') && ofSubscriber) },
    shape: shape<TrafficTrend>(),
  });

const rankOf = <const P extends string, const K extends string>(path: P, key: K, r: Resource) =>
  endpoint({
    method: 'GET',
    path,
    kind: 'detail',
    module: 'flow',
    access: [key],
    summary: ['应用流量排行', 'Traffic by application'],
    input: { ...filtersAsInput(r), ...(r.filters.includes('account') && ofSubscriber) },
    shape: shape<TrafficRank>(),
  });

const requestedExport = shape<RequestedExport>();

export const trafficCalls = calls('flow', ['business_flow'], {
  businessFlow: {
    kind: 'list',
    path: 'traffic/flow/usr',
    summary: ['查询业务流量', 'Business traffic statistics'],
    resource: businessFlowRows,
  },
  manageFlow: {
    kind: 'list',
    path: 'traffic/flow/mgt',
    access: ['manage_flow'],
    summary: ['查询管理流量', 'Management traffic statistics'],
    resource: manageFlowRows,
  },
  businessDpi: {
    kind: 'list',
    path: 'traffic/dpi/usr',
    access: ['business_dpi'],
    summary: ['查询业务DPI', 'Business DPI statistics'],
    resource: businessDpiRows,
  },
  manageDpi: {
    kind: 'list',
    path: 'traffic/dpi/mgt',
    access: ['manage_dpi'],
    summary: ['查询管理DPI', 'Management DPI statistics'],
    resource: manageDpiRows,
  },
  businessFlowTrend: trendOf('traffic/flow/usr/trend', 'business_flow', businessFlowRows),
  manageFlowTrend: trendOf('traffic/flow/mgt/trend', 'manage_flow', manageFlowRows),
  businessDpiTrend: trendOf('traffic/dpi/usr/trend', 'business_dpi', businessDpiRows),
  manageDpiTrend: trendOf('traffic/dpi/mgt/trend', 'manage_dpi', manageDpiRows),
  businessDpiRank: rankOf('traffic/dpi/usr/rank', 'business_dpi', businessDpiRows),
  manageDpiRank: rankOf('traffic/dpi/mgt/rank', 'manage_dpi', manageDpiRows),
  exportBusinessFlow: {
    kind: 'export',
    path: 'traffic/export/flow/usr',
    summary: ['导出业务流量', 'Export business traffic'],
    resource: businessFlowRows,
    input: exportInput,
    shape: requestedExport,
  },
  exportManageFlow: {
    kind: 'export',
    path: 'traffic/export/flow/mgt',
    access: ['manage_flow'],
    summary: ['导出管理流量', 'Export management traffic'],
    resource: manageFlowRows,
    input: exportInput,
    shape: requestedExport,
  },
  exportBusinessDpi: {
    kind: 'export',
    path: 'traffic/export/dpi/usr',
    access: ['business_dpi'],
    summary: ['导出业务DPI', 'Export business DPI'],
    resource: businessDpiRows,
    input: exportInput,
    shape: requestedExport,
  },
  exportManageDpi: {
    kind: 'export',
    path: 'traffic/export/dpi/mgt',
    access: ['manage_dpi'],
    summary: ['导出管理DPI', 'Export management DPI'],
    resource: manageDpiRows,
    input: exportInput,
    shape: requestedExport,
  },
});

const exportRows = { on: 'toolbar', label: ['导出', 'Export'] } as const satisfies Action;
const exportLog = { on: 'toolbar', label: ['导出日志', 'Export log'], to: '/flow/export' } as const satisfies Action;

export const businessFlow = page({
  ...headOf('businessFlow'),
  resource: businessFlowRows,
  list: trafficCalls.businessFlow,
  forms: {},
  actions: { export: { ...exportRows, call: trafficCalls.exportBusinessFlow }, exportLog },
});

export const manageFlow = page({
  ...headOf('manageFlow'),
  resource: manageFlowRows,
  list: trafficCalls.manageFlow,
  forms: {},
  actions: { export: { ...exportRows, call: trafficCalls.exportManageFlow }, exportLog },
});

export const businessDpi = page({
  ...headOf('businessDpi'),
  resource: businessDpiRows,
  list: trafficCalls.businessDpi,
  forms: {},
  actions: { export: { ...exportRows, call: trafficCalls.exportBusinessDpi }, exportLog },
});

export const manageDpi = page({
  ...headOf('manageDpi'),
  resource: manageDpiRows,
  list: trafficCalls.manageDpi,
  forms: {},
  actions: { export: { ...exportRows, call: trafficCalls.exportManageDpi }, exportLog },
});
