import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { type RowOf, resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { rejectReason } from '../user/choices.ts';
import { nasManage, type nasResource } from './nas.ts';

const account = text(['上网账号', 'Online account'], { mono: true, tooltip: true, width: 160, to: references.account });

/** Logins that were refused at one NAS. */
const nasRejection = resource({
  fields: {
    create_at: time(['时间', 'Time'], { sort: true }),
    account,
    reason: choice(['拒绝原因', 'Reason'], rejectReason, { width: 180 }),
    mac: text(['MAC地址', 'MAC address'], { mono: true, width: 160 }),
  },
  title: ['account', 'reason'],
  columns: ['create_at', 'account', 'reason', 'mac'],
  filters: [],
  orderby: 'create_at desc',
});

const coaKind = [
  { id: 'change', label: ['更改限速限额', 'Change of limits'], color: 'blue' },
  { id: 'disconnect', label: ['强制下线', 'Kick'], color: 'orange' },
] as const;

/** Requests that the platform sent to one NAS. */
const nasCoa = resource({
  fields: {
    create_at: time(['时间', 'Time'], { sort: true }),
    account,
    kind: choice(['请求', 'Request'], coaKind, { width: 150 }),
    result: text(['结果', 'Result'], { tooltip: true, width: 240 }),
    tries: int(['发送次数', 'Times sent'], { width: 110 }),
    finish_at: time(['应答时间', 'Answered at']),
  },
  title: ['account', 'kind'],
  columns: ['create_at', 'account', 'kind', 'result', 'tries', 'finish_at'],
  filters: [],
  orderby: 'create_at desc',
});

/** Where a NAS sends its requests. A port is 0 if this server does not listen on it. */
export interface RadiusAddress {
  /** Empty if no public address is configured. */
  readonly host: string;
  readonly auth_port: number;
  readonly acct_port: number;
  readonly radsec_port: number;
}

export interface NasRecord extends RowOf<typeof nasResource> {
  readonly server: RadiusAddress;
  /** The newest request that has a result, in the language of the caller. */
  readonly coa: { readonly is_acked: boolean; readonly text: string; readonly at: number } | null;
}

export const nasDetailCalls = calls('advanced', ['nas_manage', 'nas_detail'], {
  read: { kind: 'detail', path: 'nas/{id}', summary: ['查看NAS', 'Read one NAS'], shape: shape<NasRecord>() },
  rejections: {
    kind: 'list',
    path: 'nas/{id}/rejection',
    summary: ['查询NAS拒绝的登录', 'List the refused logins of a NAS'],
    resource: nasRejection,
  },
  coa: { kind: 'list', path: 'nas/{id}/coa', summary: ['查询发给NAS的请求', 'List the requests to a NAS'], resource: nasCoa },
});

const { edit, rotate, delete: remove } = nasManage.actions;

export const nasDetail = page({
  ...headOf('nasDetail'),
  resource: nasManage.resource,
  reveal: nasManage.reveal,
  forms: nasManage.forms,
  actions: { edit, rotate, delete: remove },
});
