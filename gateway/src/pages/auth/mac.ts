import { bool, iface, mac, rate, ref, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const authMac = list('auth_mac', {
  title: ['MAC认证', 'MAC login'],
  summary: ['管理以MAC认证上网的设备，如驾驶台电脑、摄像机和平板。', 'Devices that log in by MAC: bridge PCs, cameras, tablets.'],
  key: 'mac',
  maxRows: 1000,
  fields: {
    mac: mac(['MAC地址', 'MAC address'], { required: true }),
    name: text(['设备名称', 'Device name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    account: ref(['关联账号', 'Linked account'], 'auth_local_user'),
    interface: iface(['允许接口（空为全部）', 'Interface (empty = all)']),
    down: rate(['下行限速（0不限）', 'Download limit (0 = none)'], { default: 0 }),
    up: rate(['上行限速（0不限）', 'Upload limit (0 = none)'], { default: 0 }),
    expire_at: time(['到期时间', 'Expires at']),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
