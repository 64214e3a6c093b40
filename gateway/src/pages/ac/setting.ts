import { bool, choice, duration, iface, int, port, secret } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { strongPassword } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const acSetting = form('ac_setting', {
  title: ['AC设置', 'Controller settings'],
  summary: ['设置AC源接口、AP发现与准入方式，以及数据转发方式。', 'Controller interface, AP discovery and admission, and data forwarding.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    interface: iface(['AC源接口', 'Controller interface'], { required: true }),
    country: choice(
      ['国家/地区码', 'Country code'],
      {
        CN: ['中国', 'China'],
        HK: ['中国香港', 'Hong Kong, China'],
        SG: ['新加坡', 'Singapore'],
        JP: ['日本', 'Japan'],
        US: ['美国', 'United States'],
        DE: ['德国', 'Germany'],
      },
      { required: true, default: 'CN' },
    ),
    ap_auth: choice(
      ['AP准入方式', 'AP admission'],
      { none: ['不认证', 'None'], mac: ['MAC认证', 'By MAC'], sn: ['序列号认证', 'By serial number'] },
      { required: true, default: 'mac' },
    ),
    auto_join: bool(['新AP自动上线', 'Admit new APs automatically'], { default: false }),
    forwarding: choice(
      ['转发方式', 'Forwarding'],
      { local: ['本地转发', 'Local'], tunnel: ['隧道转发', 'Tunneled to AC'] },
      { required: true, default: 'local' },
    ),
    control_port: port(['CAPWAP控制端口', 'CAPWAP control port'], { default: 5246 }),
    data_port: port(['CAPWAP数据端口', 'CAPWAP data port'], { default: 5247 }),
    dtls: bool(['控制隧道加密', 'Encrypt control tunnel'], { default: true }),
    echo_interval: duration(['心跳间隔', 'Echo interval'], { default: 25, min: 5, max: 300, unit: 's' }),
    echo_retry: int(['离线判定次数', 'Missed echoes to go offline'], { default: 6, min: 2, max: 30 }),
    ap_password: secret(['AP本地管理密码', 'AP local password'], { max: 32, like: strongPassword }),
    keep_service: bool(['失联后AP继续服务', 'APs keep serving if AC is lost'], { default: true }),
    offline_alarm: bool(['AP离线告警', 'Alarm on AP offline'], { default: true }),
  },
  rules: [portsFree],
});
