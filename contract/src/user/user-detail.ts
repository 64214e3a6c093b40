import { calls, shape } from '../kit/endpoint.ts';
import { choice, money, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { operatorLog } from '../log/operator-log.ts';
import { headOf } from '../menu.ts';
import type { NoGateway, RejectReason, SyncState } from './choices.ts';
import { moneyActions, moneyForms } from './money.ts';
import { serviceHistory } from './service-history.ts';
import { userCalls } from './user.ts';
import { userActions, userForms } from './user-actions.ts';
import { user } from './user-resource.ts';

/** Remaining quota in bytes or seconds. */
export interface Left {
  readonly capacity: number;
  readonly used: number;
  readonly left: number;
}

export interface PackageHolding {
  readonly id: number;
  readonly package_id: number;
  readonly package_name: string;
  readonly kind: 'online' | 'extra';
  readonly status: string;
  readonly priority: number;
  readonly flow: Left | null;
  readonly time: Left | null;
  readonly cycle: (Left & { readonly unit: 'bytes' | 'seconds'; readonly resets_at: number }) | null;
  readonly percent: number;
  readonly activated_at: number | null;
  readonly ends_at: number | null;
  /** 1 is in use, 2 is next; null is not usable. */
  readonly turn: number | null;
  readonly up_speed: number;
  readonly down_speed: number;
}

/** Account actions that can remove a cause, by their keys on the user page. */
export type FixAction =
  | 'enable'
  | 'reopen'
  | 'extend'
  | 'recharge'
  | 'addPackage'
  | 'changePackage'
  | 'passwd'
  | 'kick'
  | 'edit'
  | 'device';

/** A gateway that holds the account. Synced: it has confirmed the current state of the account. */
export interface GatewaySync {
  readonly device_id: number;
  readonly device_name: string;
  readonly state: SyncState;
  /** The reply of the gateway, if it refused the account. */
  readonly refusal: string | null;
  /** Of the confirmation, or of the first change without one. */
  readonly since: number | null;
  /** The account moved away; the gateway has not confirmed its removal. */
  readonly is_leaving: boolean;
}

export interface AccountSync {
  readonly counts: Readonly<Record<SyncState, number>>;
  /** The first ones; those that need attention come first. */
  readonly gateways: readonly GatewaySync[];
  /** Why no gateway holds the account. */
  readonly none: NoGateway | null;
}

/** Current state of an account: its packages, the resulting service, its gateways, and the last gateway report. */
export interface ServiceStatus {
  readonly holdings: readonly PackageHolding[];
  readonly service:
    | { readonly mode: 'full'; readonly holding: number | null }
    | { readonly mode: 'slow'; readonly limit_up: number; readonly limit_down: number }
    | { readonly mode: 'stop'; readonly reason: 'exhausted' | 'no_package' };
  readonly online: { readonly count: number; readonly since: number | null; readonly ip: string | null; readonly mac: string | null };
  /** What would refuse a login now. `fixes`: the actions that remove it, best first. */
  readonly blocked: { readonly reason: RejectReason; readonly fixes: readonly FixAction[] } | null;
  /** Actions that restore the full service of an account that is slowed down or beyond its packages. */
  readonly refills: readonly FixAction[];
  /** Bytes beyond all packages. */
  readonly overrun_bytes: number;
  /** The package that follows; `at`: its start, or the latest end of the one before; null: when that one is used up. */
  readonly next: {
    readonly holding: number;
    readonly package_name: string;
    readonly at: number | null;
    readonly is_waiting: boolean;
  } | null;
  /** The next time at which a quota is complete again. */
  readonly reset_at: number | null;
  readonly sync: AccountSync;
  readonly last_rejection: {
    readonly reason: string;
    readonly create_at: number;
    readonly device_name: string | null;
    /** The cause no longer applies. */
    readonly is_solved: boolean;
    readonly fixes: readonly FixAction[];
  } | null;
  /** The last use reported by a gateway; null: none. */
  readonly last_use: { readonly at: number; readonly device_name: string | null } | null;
}

export interface PolicyRule {
  readonly level: 'account' | 'user' | 'package' | 'device';
  readonly rule: { readonly id: number; readonly name: string } | null;
  readonly wins: boolean;
  /** Reason why it applies or not, in the reader's language. */
  readonly text: string;
}

/** The four levels, highest first, for each kind of template. */
export interface PolicyChains {
  readonly application: readonly PolicyRule[];
  readonly credit: readonly PolicyRule[];
}

const usedCard = resource({
  fields: {
    number: text(['卡号', 'Card number'], { mono: true, width: 180 }),
    card_type: choice(['卡类型', 'Card type'], [
      { id: 'package', label: ['套餐卡', 'Package card'], color: 'blue' },
      { id: 'amount', label: ['金额卡', 'Amount card'], color: 'gold' },
    ] as const),
    denomination: money(['面值', 'Denomination']),
    package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 160 }),
    batch_no: text(['批次号', 'Batch'], { mono: true, width: 160 }),
    used_at: time(['使用时间', 'Used at'], { sort: true }),
  },
  title: ['number', 'batch_no'],
  columns: ['number', 'card_type', 'denomination', 'package_name', 'batch_no', 'used_at'],
  filters: [],
  orderby: 'used_at desc',
});

const accountLog = resource({
  fields: operatorLog.fields,
  title: ['content', 'name'],
  columns: ['create_at', 'name', 'acted_by', 'action', 'content', 'result', 'message', 'ip'],
  filters: [],
  orderby: 'create_at desc',
});

export const userDetailCalls = calls('user', ['user_list', 'user_detail'], {
  serviceStatus: {
    kind: 'tree',
    path: 'user/{id}/standing',
    summary: ['用户的套餐余量与当前服务', 'Package balance and current service of a user'],
    shape: shape<ServiceStatus>(),
  },
  service: { kind: 'list', path: 'user/{id}/service', summary: ['用户的服务记录', 'Service history of a user'], resource: serviceHistory },
  policy: { kind: 'tree', path: 'user/{id}/policy', summary: ['用户的策略链', 'Policy chain of a user'], shape: shape<PolicyChains>() },
  cards: { kind: 'list', path: 'user/{id}/cards', summary: ['用户使用的充值卡', 'Recharge cards used by a user'], resource: usedCard },
  log: { kind: 'list', path: 'user/{id}/log', summary: ['用户的操作日志', 'Operator log of one user'], resource: accountLog },
});

const { edit, enable, disable, freeze, extend, shutdown, reopen, passwd, device, policy, renewal, kick, delete: remove } = userActions;

export const userDetail = page({
  ...headOf('userDetail'),
  resource: user,
  list: userCalls.read,
  reveal: userCalls.reveal,
  forms: { ...userForms, ...moneyForms },
  actions: {
    edit,
    enable,
    disable,
    passwd,
    ...moneyActions,
    extend,
    shutdown,
    reopen,
    device,
    policy,
    renewal,
    kick,
    freeze,
    delete: remove,
  },
});
