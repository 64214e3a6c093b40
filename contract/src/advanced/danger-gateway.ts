import { onlineState } from '../device/choices.ts';
import { choice, int, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { deviceFields } from '../log/device-fields.ts';

/** State of the list on a gateway. */
export const dangerListState = [
  { id: 'applied', label: ['已生效', 'Applied'], color: 'green' },
  { id: 'sent', label: ['下发中', 'Being sent'], color: 'blue' },
  { id: 'waiting', label: ['等待下发', 'Waiting'], color: 'orange' },
  { id: 'failed', label: ['校验不符', 'Differs'], color: 'red' },
  { id: 'unsupported', label: ['不支持', 'Not supported'], color: 'default' },
] as const;
export type DangerGatewayState = (typeof dangerListState)[number]['id'];

export const dangerGateway = resource({
  fields: {
    device_name: { ...deviceFields.device_name, match: 'name', sort: true },
    sn: deviceFields.sn,
    list_state: choice(['名单状态', 'List'], dangerListState, {
      width: 130,
      tips: [
        '网关确认当前版本后才显示已生效；离线或L波段的网关等待',
        'Applied after the gateway confirms the current revision. Gateways that are offline or on L-band wait.',
      ],
    }),
    revision: int(['版本', 'Revision'], { width: 100 }),
    site_count: int(['条数', 'Sites'], { width: 100 }),
    acked_at: time(['确认时间', 'Confirmed at']),
    online_state: choice(['在线状态', 'Online state'], onlineState, { width: 110 }),
    version: text(['固件版本', 'Firmware'], { mono: true, hiddenByDefault: true, width: 110 }),
    agent_name: deviceFields.agent_name,
  },
  title: ['device_name', 'agent_name'],
  columns: ['device_name', 'sn', 'list_state', 'revision', 'site_count', 'acked_at', 'online_state', 'version', 'agent_name'],
  filters: ['device_name', 'sn', 'list_state', 'online_state'],
  orderby: 'device_name asc',
});

/** The list as gateways hold it, and the number of gateways by state. */
export interface DangerListState {
  readonly rev: number;
  /** Enabled entries. */
  readonly count: number;
  readonly gateways: Readonly<Record<DangerGatewayState, number>>;
  /** The last import of this operator, while it is stored. */
  readonly import_id: number | null;
}
