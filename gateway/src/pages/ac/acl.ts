import { listModes } from '../../choices.ts';
import { bool, choice, mac, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const acAcl = list('ac_acl', {
  title: ['无线黑白名单', 'Wireless access list'],
  summary: ['按分组和时间设置允许或禁止接入SSID的终端MAC。', 'Client MACs that are allowed or refused on an SSID, by group and time.'],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    mode: choice(['方式', 'Mode'], listModes, { required: true, default: 'blacklist' }),
    macs: rows(
      ['终端MAC', 'Client MACs'],
      { required: true, min: 1, max: 500 },
      { mac: mac(['MAC地址', 'MAC address'], { required: true }), remark: text(['备注', 'Remark'], { max: 64 }) },
    ),
    ssid: ref(['无线网络（空为全部）', 'SSID (empty = all)'], 'ac_ssid'),
    group: ref(['AP分组（空为全部）', 'AP group (empty = all)'], 'ac_ap_group'),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
  },
});
