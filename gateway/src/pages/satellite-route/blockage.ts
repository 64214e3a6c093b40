import { bool, choice, duration, int, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { differs } from '../../kit/page-rules.ts';

export const satelliteRouteBlockage = list('satellite_route_blockage', {
  title: ['遮挡区', 'Blockage zones'],
  summary: [
    '设置相对船艏被桅杆、烟囱遮挡或有人员活动的扇区，区内禁止发射。',
    'Sectors relative to the bow that are blocked by mast or funnel or used by people; transmit is inhibited there.',
  ],
  key: 'name',
  maxRows: 16,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    antenna: ref(['天线', 'Antenna'], 'satellite_route_antenna', { required: true }),
    zone_type: choice(
      ['类型', 'Type'],
      { blockage: ['结构遮挡', 'Structure blockage'], radhaz: ['辐射危险区', 'Radiation hazard'] },
      { required: true, default: 'blockage' },
    ),
    az_start: int(['起始相对方位', 'Start relative azimuth'], { required: true, min: 0, max: 359, unit: '°' }),
    az_end: int(['结束相对方位（顺时针）', 'End relative azimuth (clockwise)'], { required: true, min: 0, max: 359, unit: '°' }),
    el_max: int(['遮挡上限仰角', 'Blocked up to elevation'], { required: true, default: 90, min: 0, max: 90, unit: '°' }),
    tx_inhibit: bool(['区内禁止发射', 'Inhibit transmit inside'], { default: true }),
    allowance: duration(['允许穿越时间', 'Pass-through allowance'], { default: 2, min: 0, max: 60, unit: 'min' }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [differs('az_end', 'az_start')],
});
