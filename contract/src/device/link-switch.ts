import { page, resource } from '../kit/resource.ts';
import { wanChangeCalls, wanChangeFields } from '../log/wan-change.ts';
import { headOf } from '../menu.ts';

const sent = resource({
  fields: wanChangeFields,
  columns: [
    'device_name',
    'sn',
    'from_link',
    'to_link',
    'network',
    'change_mode',
    'link_lock',
    'reason',
    'result',
    'operator',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'change_mode', 'network', 'create_at', 'link_lock', 'result', 'vno_id'],
  orderby: 'create_at desc',
});

export const linkSwitchSend = page({
  ...headOf('linkSwitchSend'),
  resource: sent,
  list: wanChangeCalls.list,
  listParams: { source: 'send' },
  forms: {},
  actions: {},
});
