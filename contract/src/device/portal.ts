import { ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { subjectInput } from '../kit/lookup.ts';
import type { PreviewNote } from '../kit/page.ts';
import type { billingType } from './choices.ts';
import { deviceAccess } from './device.ts';
import { portalFields } from './device-fields.ts';

export interface PortalOption {
  readonly name: string;
  readonly billing_type: (typeof billingType)[number]['id'];
}

/** Calls of the action that sets the portal of devices. */
export const devicePortalCalls = calls('device', deviceAccess, {
  option: {
    kind: 'option',
    path: 'portal/option',
    access: [...deviceAccess, 'advert_temp', 'advert_edit'],
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
