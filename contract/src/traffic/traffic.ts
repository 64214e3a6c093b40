import { exportInput } from '../export/export.ts';
import type { RequestedExport } from '../export/export-log.ts';
import { calls, type Endpoint, type Shape, shape } from '../kit/endpoint.ts';
import { bytes, choice, type Fields, int, link, option, progress, rate, text, time, variant } from '../kit/field.ts';
import type { Action, Head } from '../kit/page.ts';
import { filterFields, type Resource, resource } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { network } from '../protocol/network.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { dataType, statBy } from './choices.ts';
import type { TrafficKindId } from './kinds.ts';

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

const flowRows = <const S extends 'account' | 'service'>(subject: S) =>
  resource({
    fields: flowFields,
    title: [subject, 'device_name'],
    columns: ['time', subject, ...deviceColumns, 'link', 'network', ...sums, ...speeds, 'agent_name'],
    filters: [subject, 'device_id', 'stat_by', 'time', 'network', ...rest],
    orderby,
    sums,
  });

const application = ['protocol_name', 'category_name', 'protocol_id'] as const;

const businessDpiRows = resource({
  fields: dpiFields,
  title: ['protocol_name', 'account'],
  columns: ['time', ...application, 'account', ...deviceColumns, ...sums, 'percent', 'session_count', 'agent_name'],
  filters: ['account', 'device_id', 'protocol_id', 'stat_by', 'time', ...rest],
  orderby,
  sums,
});

const manageDpiRows = resource({
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

/** The filters of a list as input of a chart. */
const filtersOf = (r: Resource): Fields => {
  const params = filterFields(r);
  const { time_end: end } = params;
  const range = [rules.start_before_end('time_start'), rules.query_range('time_start', limits.queryMonths)];
  const ofSubscriber = { user_id: int(['用户', 'User'], { hidden: true }) };
  return {
    ...params,
    ...(end && { time_end: { ...end, rules: range } }),
    ...(r.filters.includes('account') && ofSubscriber),
  };
};

/** The calls of a kind. Its list, charts and export have the same filters. */
const callsOf = <const P extends string, const K extends string, R extends Resource>(path: P, key: K, [zh, en]: Text, rows: R) =>
  calls('flow', [key], {
    list: { kind: 'list', path: `traffic/${path}`, summary: [`查询${zh}`, `${en} statistics`], resource: rows },
    trend: {
      kind: 'detail',
      path: `traffic/${path}/trend`,
      summary: ['流量趋势', 'Traffic over time'],
      input: filtersOf(rows),
      shape: shape<TrafficTrend>(),
    },
    export: {
      kind: 'export',
      path: `traffic/export/${path}`,
      summary: [`导出${zh}`, `Export ${en.charAt(0).toLowerCase()}${en.slice(1)}`],
      resource: rows,
      input: exportInput,
      shape: shape<RequestedExport>(),
    },
  });

const dpiCallsOf = <const P extends string, const K extends string, R extends Resource>(path: P, key: K, label: Text, rows: R) => ({
  ...callsOf(path, key, label, rows),
  ...calls('flow', [key], {
    rank: {
      kind: 'detail',
      path: `traffic/${path}/rank`,
      summary: ['应用流量排行', 'Traffic by application'],
      input: filtersOf(rows),
      shape: shape<TrafficRank>(),
    },
  }),
});

const [flowUsr, flowMgt, dpiUsr, dpiMgt] = dataType;

export const trafficCalls = {
  flow_usr: callsOf('flow/usr', 'business_flow', flowUsr.label, flowRows('account')),
  flow_mgt: callsOf('flow/mgt', 'manage_flow', flowMgt.label, flowRows('service')),
  dpi_usr: dpiCallsOf('dpi/usr', 'business_dpi', dpiUsr.label, businessDpiRows),
  dpi_mgt: dpiCallsOf('dpi/mgt', 'manage_dpi', dpiMgt.label, manageDpiRows),
} as const satisfies Record<TrafficKindId, unknown>;

interface ChartCall<T> extends Endpoint {
  readonly shape: Shape<T>;
}

interface PageCalls {
  readonly list: Endpoint & { readonly resource: Resource };
  readonly trend: ChartCall<TrafficTrend>;
  readonly rank?: ChartCall<TrafficRank>;
  readonly export: Endpoint;
}

/** A list with charts above it. */
const pageOf = <const H extends Head>(head: H, { list, trend, rank, export: exportCall }: PageCalls) => ({
  ...head,
  resource: list.resource,
  list,
  trend,
  rank,
  forms: {},
  actions: {
    export: { on: 'toolbar', label: ['导出', 'Export'], call: exportCall },
    exportLog: { on: 'toolbar', label: ['导出日志', 'Export log'], to: '/flow/export' },
  } as const satisfies Record<string, Action>,
});
export type TrafficPage = ReturnType<typeof pageOf>;

export const businessFlow = pageOf(headOf('businessFlow'), trafficCalls.flow_usr);
export const manageFlow = pageOf(headOf('manageFlow'), trafficCalls.flow_mgt);
export const businessDpi = pageOf(headOf('businessDpi'), trafficCalls.dpi_usr);
export const manageDpi = pageOf(headOf('manageDpi'), trafficCalls.dpi_mgt);
