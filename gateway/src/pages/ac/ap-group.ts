import { bool, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const acApGroup = list('ac_ap_group', {
  title: ['AP分组', 'AP groups'],
  summary: [
    '共用SSID和射频模板的AP分组，如生活区、驾驶台和甲板。',
    'Groups that share SSIDs and radio profiles, such as accommodation, bridge and deck.',
  ],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    ssids: rows(['无线网络', 'SSIDs'], { max: 8 }, { ssid: ref(['无线网络', 'SSID'], 'ac_ssid', { required: true }) }),
    radio_2g: ref(['2.4G射频模板', '2.4 GHz radio profile'], 'ac_radio', { required: true }),
    radio_5g: ref(['5G射频模板', '5 GHz radio profile'], 'ac_radio', { required: true }),
    force: bool(['强制使用分组配置', 'Force group settings'], { default: false }),
    night_off: bool(['定时关闭射频', 'Radio off by schedule'], { default: false }),
    off_time: ref(['关闭时间组', 'Off during'], 'network_time_group', { required: true, when: ['night_off', true] }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
