import { bool, int, percent, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { atMost, sumWithin, uniqueOnLink } from '../../kit/page-rules.ts';

export const qosClass = list('qos_class', {
  title: ['带宽通道', 'Bandwidth classes'],
  summary: ['按链路设置带宽通道的保障带宽、上限带宽和优先级（0～7）。', 'Guaranteed and maximum bandwidth with priority 0 to 7 per link.'],
  key: 'name',
  maxRows: 16,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    link: ref(['适用链路（空为全部）', 'Link (empty = all)'], 'network_wan'),
    priority: int(['优先级（0最高）', 'Priority (0 highest)'], { required: true, default: 4, min: 0, max: 7 }),
    down_guarantee: percent(['下行保障', 'Download guarantee'], { required: true, default: 10 }),
    down_max: percent(['下行上限', 'Download ceiling'], { required: true, default: 100, min: 1 }),
    up_guarantee: percent(['上行保障', 'Upload guarantee'], { required: true, default: 10 }),
    up_max: percent(['上行上限', 'Upload ceiling'], { required: true, default: 100, min: 1 }),
    borrow: bool(['允许借用空闲带宽', 'May borrow idle bandwidth'], { default: true }),
    dscp_mark: int(['DSCP标记', 'DSCP mark'], { min: 0, max: 63 }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [
    uniqueOnLink('priority'),
    atMost('down_guarantee', 'down_max'),
    atMost('up_guarantee', 'up_max'),
    sumWithin('down_guarantee', 'link', 100),
    sumWithin('up_guarantee', 'link', 100),
  ],
});
