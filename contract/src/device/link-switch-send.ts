import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { wanChangeLogCalls, wanChangeLogFields } from '../log/wan-change-log.ts';
import { headOf } from '../menu.ts';

const sent = resource({
  fields: wanChangeLogFields,
  title: ['device_name', 'to_link'],
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
  list: wanChangeLogCalls.list,
  listParams: { source: 'send' },
  forms: {},
  actions: {},
});
