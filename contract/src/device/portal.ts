import { ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, option, text, time } from '../kit/field.ts';
import { subjectInput } from '../kit/lookup.ts';
import type { PreviewNote } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { references } from '../references.ts';
import { billingType } from './choices.ts';
import { deviceAccess } from './device.ts';
import { portalFields } from './device-fields.ts';

/** Login pages that a gateway shows to users. */
export const portalResource = resource({
  fields: {
    name: text(['门户名称', 'Portal name'], { sort: true }),
    device_type: text(['适用终端', 'Made for']),
    billing_type: choice(['计费类型', 'Billing type'], billingType),
    device_count: int(['设备数', 'Devices']),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, to: references.vno }),
    create_at: time(['创建时间', 'Created at'], { sort: true }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  columns: ['name', 'device_type', 'billing_type', 'device_count', 'agent_name', 'create_at'],
  filters: ['name', 'billing_type', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export interface PortalOption {
  readonly name: string;
  readonly billing_type: (typeof billingType)[number]['id'];
}

export const portalCalls = calls('device', deviceAccess, {
  list: { kind: 'list', path: 'portal', summary: ['查询门户', 'List portals'], resource: portalResource },
  option: {
    kind: 'option',
    path: 'portal/option',
    summary: ['门户选项', 'Option list of portals; with devices, only portals that fit'],
    input: subjectInput,
    shape: shape<Record<string, PortalOption>>(),
  },
  estimate: {
    kind: 'tree',
    path: 'device/portal/estimate',
    summary: ['门户下发估算', 'Estimate of sending a portal'],
    input: { portal_id: portalFields.portal_id, ids },
    shape: shape<{ readonly notes: readonly PreviewNote[] }>(),
  },
});

/**
 * A charged portal sells and authenticates at the gateway, so it needs pre-billing mode. A free portal needs AAA mode, without billing at
 * the gateway. A gateway in mode 3 accepts both, an abnormal one neither.
 */
export const fitsBilling = (billing: (typeof billingType)[number]['id'], mode: number) =>
  mode === 3 || mode === (billing === 'charged' ? 1 : 2);
