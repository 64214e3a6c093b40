import { bool, choice, int, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { price } from '../../kit/patterns.ts';

export const linkChangePriority = list('link_change_priority', {
  title: ['链路优先级', 'Link priority'],
  summary: ['设置各上联链路的优先级、角色、备用状态和费用。', 'Order, role, standby behavior and cost of each uplink.'],
  key: 'link',
  maxRows: 8,
  fields: {
    link: ref(['链路', 'Link'], 'network_wan', { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    priority: int(['优先级（小者优先）', 'Priority (lower first)'], { required: true, default: 10, min: 1, max: 100 }),
    role: choice(
      ['角色', 'Role'],
      { primary: ['主用', 'Primary'], backup: ['备份', 'Backup'], roaming: ['漫游', 'Roaming'], emergency: ['应急', 'Emergency'] },
      { required: true, default: 'backup' },
    ),
    standby: choice(
      ['备用状态', 'Standby state'],
      { hot: ['热备（保持连接）', 'Hot (stay connected)'], cold: ['冷备（需要时连接）', 'Cold (connect when needed)'] },
      { default: 'hot' },
    ),
    cost_per_mb: text(['每MB费用', 'Cost per MB'], { max: 9, like: price, unit: 'CNY' }),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('priority')],
});
