import { bool, int, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { mobilityDomain } from '../../kit/patterns.ts';

export const acRoaming = form('ac_roaming', {
  title: ['漫游设置', 'Roaming'],
  summary: [
    '设置快速漫游、5G优先和粘滞终端门限，保证从舱室走到餐厅时会话不中断。',
    'Fast roaming, band steering and sticky-client thresholds, so sessions continue while users move between rooms.',
  ],
  fields: {
    dot11k: bool(['802.11k邻居报告', '802.11k neighbor reports'], { default: true }),
    dot11v: bool(['802.11v引导切换', '802.11v steering'], { default: true }),
    dot11r: bool(['802.11r快速漫游', '802.11r fast transition'], { default: false }),
    mobility_domain: text(['移动域', 'Mobility domain'], { default: '4f57', max: 4, like: mobilityDomain, when: ['dot11r', true] }),
    reassoc_deadline: int(['重关联时限', 'Reassociation deadline'], {
      default: 1000,
      min: 1000,
      max: 65_535,
      unit: 'TU',
      when: ['dot11r', true],
    }),
    portal_roaming: bool(['漫游免重新认证', 'No new login when roaming'], { default: true }),
    band_steering: bool(['5G优先', 'Prefer 5 GHz'], { default: true }),
    steer_rssi: int(['5G优先信号门限', '5 GHz signal threshold'], {
      default: -70,
      min: -90,
      max: -40,
      unit: 'dBm',
      when: ['band_steering', true],
    }),
    sticky_kick: bool(['粘滞终端踢除', 'Disconnect sticky clients'], { default: false }),
    kick_rssi: int(['踢除信号门限', 'Disconnect below'], { default: -82, min: -95, max: -60, unit: 'dBm', when: ['sticky_kick', true] }),
    load_balance: bool(['AP间负载均衡', 'Balance between APs'], { default: true }),
    balance_gap: int(['均衡触发终端差', 'Client gap to balance'], { default: 8, min: 2, max: 50, when: ['load_balance', true] }),
  },
});
