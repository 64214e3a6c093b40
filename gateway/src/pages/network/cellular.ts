import { bool, choice, int, secret, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { accessPoint, plmn, simPin } from '../../kit/patterns.ts';

export const networkCellular = form('network_cellular', {
  title: ['4G/5G设置', 'Cellular'],
  summary: [
    '配置近岸使用的蜂窝模块的SIM卡、APN和射频参数，并提供数据漫游保护。',
    'SIM, APN and radio settings of the cellular module used near shore, with a data-roaming guard.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    sim_slot: choice(
      ['SIM卡槽', 'SIM slot'],
      { auto: ['自动切卡', 'Automatic'], sim1: ['卡1', 'SIM 1'], sim2: ['卡2', 'SIM 2'] },
      { default: 'auto' },
    ),
    apn: text(['APN', 'APN'], { max: 64, like: accessPoint }),
    auth_type: choice(
      ['APN鉴权', 'APN authentication'],
      { none: ['无', 'None'], pap: ['PAP', 'PAP'], chap: ['CHAP', 'CHAP'] },
      { default: 'none' },
    ),
    username: text(['APN用户名', 'APN username'], { max: 64 }),
    password: secret(['APN密码', 'APN password'], { max: 64 }),
    pin: secret(['PIN码', 'SIM PIN'], { max: 8, like: simPin }),
    network_mode: choice(
      ['网络制式', 'Radio mode'],
      { auto: ['自动', 'Automatic'], '5g': ['仅5G', '5G only'], '4g': ['仅4G', '4G only'], '3g': ['仅3G', '3G only'] },
      { default: 'auto' },
    ),
    plmn: text(['锁定运营商（PLMN）', 'Locked operator (PLMN)'], { max: 6, like: plmn }),
    roaming: bool(['允许数据漫游', 'Allow data roaming'], { default: false }),
    rsrp_min: int(['最低RSRP', 'Minimum RSRP'], { default: -115, min: -140, max: -44, unit: 'dBm' }),
    mtu: int(['MTU', 'MTU'], { default: 1428, min: 576, max: 1500, unit: 'B' }),
    redial_limit: int(['连续拨号失败后重启模块', 'Redials before module reset'], { default: 5, min: 1, max: 50 }),
  },
});
