import { calls } from '../kit/endpoint.ts';
import { choice, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { deviceFields } from '../log/device-fields.ts';
import { headOf } from '../menu.ts';
import { network } from '../protocol/network.ts';

export const fenceState = [
  { id: 'in', label: ['进入围栏', 'Entered'], color: 'blue' },
  { id: 'out', label: ['离开围栏', 'Left'], color: 'orange' },
] as const;

const fenceChange = resource({
  fields: {
    ...deviceFields,
    fence_name: text(['围栏名称', 'Fence'], { match: 'code', tooltip: true, width: 170, max: 128 }),
    fence_state: choice(['围栏状态', 'Fence state'], fenceState),
    longitude: text(['经度', 'Longitude'], { mono: true }),
    latitude: text(['纬度', 'Latitude'], { mono: true }),
    action: text(['触发动作', 'Action taken'], { tooltip: true, width: 180 }),
    network: choice(['当前网络', 'Network'], network, { hiddenByDefault: true }),
    create_at: time(['上报时间', 'Reported at'], { sort: true, months: limits.queryMonths }),
  },
  title: ['device_name', 'fence_name'],
  columns: ['device_name', 'sn', 'fence_name', 'fence_state', 'longitude', 'latitude', 'action', 'network', 'agent_name', 'create_at'],
  filters: ['device_id', 'sn', 'fence_name', 'fence_state', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const fenceStatusSendCalls = calls('device', ['fence_status_send'], {
  list: { kind: 'list', path: 'fence/change', summary: ['查询围栏状态变化', 'List fence status changes'], resource: fenceChange },
});

export const fenceStatusSend = page({
  ...headOf('fenceStatusSend'),
  resource: fenceChange,
  list: fenceStatusSendCalls.list,
  forms: {},
  actions: {},
});
