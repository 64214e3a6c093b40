import { errors } from '../errors.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, bytes, choice, duration, int, text, time } from '../kit/field.ts';
import type { Action } from '../kit/page.ts';
import { page } from '../kit/page.ts';
import type { AnyRow } from '../kit/resource.ts';
import { resource } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { deviceActionGroups } from './action-groups.ts';

/** Services behind a gateway: three web pages and a terminal. */
export const remoteService = [
  { id: 'router', label: ['路由器', 'Router'], color: 'blue' },
  { id: 'ac', label: ['AC', 'AC'], color: 'cyan' },
  { id: 'antenna', label: ['天线', 'Antenna'], color: 'geekblue' },
  { id: 'telnet', label: ['Telnet', 'Telnet'], color: 'purple' },
  { id: 'modem', label: ['调制解调器终端', 'Modem terminal'], color: 'magenta' },
  { id: 'acu', label: ['天线终端', 'Antenna terminal'], color: 'magenta' },
] as const;
export type RemoteService = (typeof remoteService)[number]['id'];

/** Services with their own call; the others are opened from the gateway configuration. */
export type DirectService = Exclude<RemoteService, 'modem' | 'acu'>;

/** Terminals; the other services are web pages. */
export const isTerminal = (service: unknown): service is 'telnet' | 'modem' | 'acu' =>
  service === 'telnet' || service === 'modem' || service === 'acu';

export const isRemoteService = (value: unknown): value is RemoteService => remoteService.some(({ id }) => id === value);

export const remoteState = [
  { id: 'opening', label: ['连接中', 'Connecting'], color: 'processing' },
  { id: 'open', label: ['进行中', 'Open'], color: 'green' },
  { id: 'ended', label: ['已结束', 'Ended'], color: 'default' },
  { id: 'failed', label: ['未接通', 'Failed'], color: 'red' },
] as const;

export const remoteEnd = [
  { id: 'closed', label: ['操作员关闭', 'Closed by an operator'] },
  { id: 'finished', label: ['设备结束了会话', 'Ended by the device'] },
  { id: 'idle', label: ['长时间无操作', 'Idle for too long'] },
  { id: 'logout', label: ['操作员已退出登录', 'The operator logged out'] },
  { id: 'offline', label: ['设备离线', 'The device went offline'] },
  { id: 'l_band', label: ['切换到L波段链路', 'Switched to the L-band link'] },
  { id: 'tunnel', label: ['隧道中断', 'The tunnel was lost'] },
  { id: 'refused', label: ['设备未能建立隧道', 'The device could not open the tunnel'] },
  { id: 'timeout', label: ['设备未在限定时间内响应', 'The device did not respond in time'] },
  { id: 'bytes', label: ['达到流量上限', 'Traffic limit reached'] },
  { id: 'time', label: ['达到时长上限', 'Time limit reached'] },
  { id: 'record', label: ['无法录像', 'Recording failed'] },
  { id: 'moved', label: ['设备已转移或删除', 'The device was transferred or deleted'] },
  { id: 'lost', label: ['服务重启', 'The server was restarted'] },
] as const;
export type RemoteEnd = (typeof remoteEnd)[number]['id'];

export const isRemoteEnd = (value: unknown): value is RemoteEnd => remoteEnd.some(({ id }) => id === value);

export const remoteEndText = (reason: RemoteEnd): Text => remoteEnd.find(({ id }) => id === reason)?.label ?? ['已结束', 'Ended'];

export const remoteSession = resource({
  fields: {
    service: choice(['服务', 'Service'], remoteService, { width: 90 }),
    state: choice(['状态', 'State'], remoteState, { width: 100 }),
    device_name: text(['设备名称', 'Device'], { tooltip: true, width: 160, to: references.device }),
    sn: text(['设备SN', 'SN'], { mono: true, hiddenByDefault: true }),
    operator: text(['操作人', 'Operator'], { tooltip: true, width: 120 }),
    acted_by: text(['实际操作人', 'Acted by'], { tooltip: true, hiddenByDefault: true, width: 120 }),
    create_at: time(['开始时间', 'Began at'], { sort: true, months: limits.queryMonths, width: 160 }),
    duration: duration(['时长', 'Duration'], { width: 90 }),
    end_reason: choice(['结束原因', 'Why it ended'], remoteEnd, { width: 170 }),
    message: text(['详情', 'Details'], { tooltip: true, hiddenByDefault: true, width: 180 }),
    reason: text(['操作原因', 'Reason given'], { tooltip: true, width: 160 }),
    down_bytes: bytes(['来自设备', 'Received'], { width: 90 }),
    up_bytes: bytes(['发往设备', 'Sent'], { width: 90 }),
    request_count: int(['请求数', 'Requests'], { hiddenByDefault: true }),
    ip: text(['登录IP', 'IP'], { mono: true, hiddenByDefault: true }),
    recorded: bool(['录像', 'Recording'], { hiddenByDefault: true }),
  },
  title: ['service', 'device_name'],
  columns: [
    'service',
    'state',
    'device_name',
    'sn',
    'operator',
    'acted_by',
    'create_at',
    'duration',
    'end_reason',
    'message',
    'reason',
    'down_bytes',
    'up_bytes',
    'request_count',
    'ip',
    'recorded',
  ],
  filters: ['service', 'state', 'operator', 'create_at', 'end_reason'],
  orderby: 'create_at desc',
});

export const remoteRequest = resource({
  fields: {
    at: time(['时间', 'Time'], { sort: true }),
    method: text(['方法', 'Method'], { mono: true, width: 80 }),
    path: text(['路径', 'Path'], { mono: true, tooltip: true, width: 300 }),
    status: int(['状态码', 'Status'], { width: 80 }),
    up_bytes: bytes(['发往设备', 'Sent'], { width: 96 }),
    down_bytes: bytes(['来自设备', 'Received'], { width: 96 }),
    ms: int(['耗时（毫秒）', 'Time (ms)'], { width: 110 }),
  },
  title: ['path', 'method'],
  columns: ['at', 'method', 'path', 'status', 'up_bytes', 'down_bytes', 'ms'],
  filters: [],
  orderby: 'at desc',
});

/** State of a session. */
export interface RemoteState {
  readonly id: number;
  readonly service: RemoteService;
  readonly device_id: number | null;
  readonly device_name: string;
  readonly state: (typeof remoteState)[number]['id'];
  readonly end_reason: RemoteEnd | null;
  readonly message: string | null;
  /** Input is ignored. */
  readonly read_only: boolean;
  readonly create_at: number;
  /** Time of the last use. */
  readonly active_at: number;
}

const access = ['device_list'] as const;
/** The detail page of a device opens sessions too. */
const opening = [...access, 'device_detail'] as const;

/** One-time URL for a browser, valid for a short time. The URL of a terminal is a page of the console. */
const grant = {
  id: int(['会话', 'Session'], { required: true }),
  url: text(['访问地址', 'Address'], { required: true }),
  token: text(['凭证', 'Ticket'], { required: true }),
  expire_at: time(['有效期至', 'Valid until'], { required: true }),
};

export const remoteCalls = calls('device', access, {
  router: {
    kind: 'command',
    path: 'device/remote/router/{id}',
    access: [...opening, 'gateway_config'],
    summary: ['远程访问路由器', 'Open the router pages of a device'],
    output: grant,
  },
  ac: {
    kind: 'command',
    path: 'device/remote/ac/{id}',
    access: opening,
    summary: ['远程访问AC', 'Open the AC controller of a device'],
    output: grant,
  },
  telnet: {
    kind: 'command',
    path: 'device/remote/telnet/{id}',
    access: opening,
    summary: ['远程Telnet', 'Open Telnet to a device'],
    output: grant,
  },
  antenna: {
    kind: 'command',
    path: 'device/remote/antenna/{id}',
    access: opening,
    summary: ['远程访问天线', 'Open the antenna of a device'],
    output: grant,
  },
  sessions: {
    kind: 'list',
    path: 'device/remote/session',
    summary: ['查询远程访问记录', 'List remote sessions'],
    resource: remoteSession,
    /** Sessions of one device. */
    input: { device_id: int(['设备', 'Device'], { hidden: true }) },
  },
  read: {
    kind: 'detail',
    path: 'device/remote/session/{id}',
    summary: ['查看远程访问状态', 'Status of a remote session'],
    shape: shape<RemoteState>(),
  },
  requests: {
    kind: 'list',
    path: 'device/remote/request',
    summary: ['查询远程网页请求', 'List the requests of a remote web session'],
    resource: remoteRequest,
    input: { session_id: int(['会话', 'Session'], { required: true, hidden: true }) },
  },
  close: { kind: 'command', path: 'device/remote/close/{id}', summary: ['关闭远程访问', 'End a remote session'] },
  replay: {
    kind: 'command',
    path: 'device/remote/replay/{id}',
    summary: ['查看远程终端录像', 'Watch the recording of a terminal'],
    shape: shape<unknown>(),
  },
});

const reachable = (row: AnyRow) => row.online_state === 1 && row.network !== 'l_band';

const open = <const C extends Action['call']>(label: Text, call: C) =>
  ({
    on: 'row',
    label,
    group: deviceActionGroups.remote,
    call,
    when: reachable,
    why: [`设备须在线；${errors.remote_l_band.text[0]}`, `The device must be online. ${errors.remote_l_band.text[1]}`],
  }) as const satisfies Action;

/** Row actions of the device list; the page connects them to `openRemote`. */
export const remoteActions = {
  router: open(['远程路由器', 'Remote router'], remoteCalls.router),
  ac: open(['远程AC', 'Remote AC'], remoteCalls.ac),
  telnet: open(['远程Telnet', 'Remote Telnet'], remoteCalls.telnet),
  antenna: open(['远程天线', 'Remote antenna'], remoteCalls.antenna),
};

/** Remote sessions of a device, for the list and the detail page. */
export const remoteHistory = {
  on: 'row',
  label: ['远程记录', 'Remote sessions'],
  group: deviceActionGroups.remote,
  call: remoteCalls.sessions,
  params: { device_id: ':id' },
} as const satisfies Action;

const isRunning = (row: AnyRow) => row.state === 'opening' || row.state === 'open';

/** Row actions of the session drawer. */
export const remoteSessionActions = {
  replay: {
    on: 'row',
    label: ['回放', 'Replay'],
    call: remoteCalls.replay,
    when: (row) => row.recorded === true,
    why: ['没有录像', 'No recording'],
  },
  requests: {
    on: 'row',
    label: ['请求明细', 'Requests'],
    call: remoteCalls.requests,
    params: { session_id: ':id' },
    when: (row) => !isTerminal(row.service),
    why: ['终端会话没有网页请求', 'Terminal sessions have no web requests'],
  },
  close: {
    on: 'row',
    label: ['关闭', 'End'],
    call: remoteCalls.close,
    confirm: ['会话将立即断开。确定结束该远程会话吗？', 'The session is closed at once. End this remote session?'],
    danger: true,
    when: isRunning,
    why: ['会话已结束', 'The session has ended'],
  },
} as const satisfies Record<string, Action>;

/** The terminal of one session in a separate tab; the ticket is in the URL fragment. */
export const remoteTerminal = page({
  ...headOf('remoteTerminal'),
  forms: {},
  actions: {},
});
