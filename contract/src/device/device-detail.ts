import { upgradeActions, upgradeForms } from '../firmware/upgrade.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { int } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { type RowOf, resource } from '../kit/resource.ts';
import { operatorLog } from '../log/operator-log.ts';
import { headOf } from '../menu.ts';
import type { Network } from '../protocol/network.ts';
import { rules } from '../rules.ts';
import type { NoGateway } from '../user/choices.ts';
import { deviceActionGroups } from './action-groups.ts';
import type { LinkState } from './choices.ts';
import { deviceCommand } from './command.ts';
import { deviceAccess } from './device.ts';
import { deviceActions, deviceForms } from './device-actions.ts';
import { deviceHistory } from './device-history.ts';
import { device } from './device-resource.ts';
import { deviceViews } from './device-views.ts';
import { loadCalls, loadIntervalForm } from './load.ts';
import { remoteActions } from './remote.ts';
import { transferActions, transferForm } from './transfer.ts';
import { videoCalls, videoForm } from './video.ts';

/** One device. Optimistic locking uses `revision`, because `version` is the firmware. */
export type DeviceRecord = RowOf<typeof device> & { readonly revision: number };

export interface LinkNow {
  readonly name: string;
  readonly network: Network;
  readonly state: LinkState;
  /** Color set by the platform for this network and state. */
  readonly color: string;
  readonly is_current: boolean;
  readonly rtt: number | null;
  readonly quality: number | null;
  readonly up_bytes: number | null;
  readonly down_bytes: number | null;
}

export interface ApNow {
  readonly name: string;
  readonly state: LinkState;
  readonly stations: number;
  readonly mac: string | null;
}

export interface Position {
  readonly lat: number;
  readonly lon: number;
  /** Knots and degrees. */
  readonly sog: number | null;
  readonly cog: number | null;
  readonly at: number;
}

/** Current state of a gateway, as last reported. */
export interface DeviceNow {
  /** Time of the last report; null: never. */
  readonly seen_at: number | null;
  readonly links: readonly LinkNow[];
  readonly lan: readonly LinkState[];
  readonly aps: readonly ApNow[];
  readonly position: Position | null;
  readonly cpu: number | null;
  readonly memory: number | null;
  readonly online_users: number | null;
  readonly offline_reason: string | null;
  readonly version_past: string | null;
  readonly hardware_id: string | null;
  readonly clock_skew: number | null;
  /** Number of open sections and commands. */
  readonly waiting: number;
}

/** Accounts of subscribers on a gateway. */
export interface DeviceAccounts {
  /** Why the gateway holds no accounts; null: it holds them. */
  readonly none: NoGateway | null;
  readonly count: number;
  /** Revision of the accounts, and the last one that the gateway confirmed. */
  readonly rev: number;
  readonly acked: number;
  readonly acked_at: number | null;
  /** Accounts that the gateway has not confirmed, and the time of the first change among them. */
  readonly pending: number;
  readonly pending_since: number | null;
  readonly refused: number;
  /** The first ones. */
  readonly refusals: readonly { readonly user_id: number; readonly account: string; readonly text: string }[];
}

/** Traffic of a device on one day. Bytes on the links must equal those of users and gateway, and those of users must be charged. */
export interface TrafficDay {
  readonly day: string;
  readonly link_bytes: number;
  readonly user_bytes: number;
  readonly own_bytes: number;
  readonly charged_bytes: number;
  readonly overrun_bytes: number;
  /** On the links, but neither of users nor of the gateway. */
  readonly unattributed: number;
  /** Of users, but not charged. */
  readonly uncharged: number;
  /** A larger difference is odd. */
  readonly allowed: number;
  readonly is_odd: boolean;
  /** The day is over, and late reports had an hour to arrive. */
  readonly is_final: boolean;
  /** Time of the event about the difference. */
  readonly noted_at: number | null;
}

export interface TrafficCheck {
  readonly days: readonly TrafficDay[];
  /** Without it, traffic of the gateway itself is part of the difference. */
  readonly declares_own: boolean;
}

const ownLog = resource({
  fields: operatorLog.fields,
  title: ['content', 'name'],
  columns: ['create_at', 'name', 'acted_by', 'action', 'content', 'result', 'message', 'ip'],
  filters: [],
  orderby: 'create_at desc',
});

export const deviceDetailCalls = calls('device', deviceAccess, {
  read: { kind: 'detail', path: 'device/{id}', summary: ['查看设备', 'Read one device with all fields'], shape: shape<DeviceRecord>() },
  now: {
    kind: 'tree',
    path: 'device/{id}/now',
    summary: ['设备当前状态', 'Links, ports, access points and position of a device'],
    shape: shape<DeviceNow>(),
  },
  track: {
    kind: 'tree',
    path: 'device/{id}/track',
    summary: ['设备航迹', 'Track of a device, reduced for the map'],
    input: { hours: int(['时长（小时）', 'Hours'], { rules: [rules.number_range(1, 24 * 31)], default: 24 }) },
    shape: shape<{ readonly list: readonly Position[] }>(),
  },
  accounts: {
    kind: 'tree',
    path: 'device/{id}/account_sync',
    summary: ['网关上的用户账号', 'Accounts of subscribers on a gateway'],
    shape: shape<DeviceAccounts>(),
  },
  resendAccounts: {
    kind: 'command',
    path: 'device/account_sync/resend',
    summary: ['重新下发全部账号', 'Send all accounts to gateways again'],
    input: { ids },
    shape: batchShape,
  },
  trafficCheck: {
    kind: 'tree',
    path: 'device/{id}/traffic_check',
    summary: ['设备流量核对', 'Traffic of a device, compared by day'],
    shape: shape<TrafficCheck>(),
  },
  history: { kind: 'list', path: 'device/{id}/history', summary: ['设备事件', 'Events of a device'], resource: deviceHistory },
  commands: { kind: 'list', path: 'device/{id}/commands', summary: ['设备命令', 'Commands to a device'], resource: deviceCommand },
  log: { kind: 'list', path: 'device/{id}/log', summary: ['设备操作日志', 'Operator log of one device'], resource: ownLog },
});

const { edit, auth, lift, portal, replace, approve, reject, resetBinding, delete: remove } = deviceActions;

export const deviceDetail = page({
  ...headOf('deviceDetail'),
  resource: device,
  list: deviceDetailCalls.read,
  forms: {
    edit: deviceForms.edit,
    loadInterval: loadIntervalForm,
    videoSet: videoForm,
    auth: deviceForms.auth,
    lift: deviceForms.lift,
    ...upgradeForms,
    portal: deviceForms.portal,
    give: transferForm,
    replace: deviceForms.replace,
  },
  actions: {
    gateway: deviceViews.gateway,
    router: remoteActions.router,
    ac: remoteActions.ac,
    antenna: remoteActions.antenna,
    telnet: remoteActions.telnet,
    restart: deviceViews.restart,
    edit,
    upgrade: upgradeActions.upgrade,
    rollback: upgradeActions.rollback,
    auth,
    lift,
    portal,
    loadInterval: {
      on: 'row',
      label: ['采集周期', 'Sampling interval'],
      group: deviceActionGroups.sampling,
      call: loadCalls.setInterval,
      form: 'loadInterval',
      params: { device_id: ':id' },
    },
    videoSet: {
      on: 'row',
      label: ['视频设置', 'Video settings'],
      group: deviceActionGroups.video,
      call: videoCalls.set,
      form: 'videoSet',
      params: { device_id: ':id' },
      when: (row) => row.online_state === 1,
      why: ['设备须在线', 'The device must be online'],
      done: ['视频设置已下发，网关确认后生效', 'Video settings sent. They take effect when the gateway confirms.'],
    },
    loadIntervalGet: {
      on: 'row',
      label: ['读取采集周期', 'Read interval'],
      group: deviceActionGroups.sampling,
      call: loadCalls.interval,
      params: { device_id: ':id' },
    },
    videoGet: {
      on: 'row',
      label: ['读取视频设置', 'Read video settings'],
      group: deviceActionGroups.video,
      call: videoCalls.read,
      params: { device_id: ':id' },
    },
    resendAccounts: {
      on: 'row',
      label: ['重新下发账号', 'Send accounts again'],
      group: deviceActionGroups.settings,
      call: deviceDetailCalls.resendAccounts,
      confirm: [
        '将向网关重新下发全部用户账号，在线用户不受影响。确定下发吗？',
        'All accounts are sent to the gateway again. Online users stay online. Send?',
      ],
      when: (row) => row.billing_mode === 1 || row.billing_mode === 3,
      why: ['该计费模式的网关不保存账号', 'In this billing mode the gateway holds no accounts'],
      done: ['已安排下发，网关确认后显示结果', 'Accounts are being sent. The result appears when the gateway confirms.'],
    },
    give: transferActions.give,
    clearGive: transferActions.clearGive,
    replace,
    approve,
    reject,
    resetBinding,
    delete: remove,
  },
});
