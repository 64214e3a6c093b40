import { ssidBands } from '../../choices.ts';
import { bool, choice, int, rate, ref, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { passphrase, ssidBytes } from '../../kit/patterns.ts';

export const acSsid = list('ac_ssid', {
  title: ['无线网络', 'SSIDs'],
  summary: [
    '配置无线网络的安全类型、VLAN、终端数限制及是否启用Portal认证。',
    'Wireless networks: security, VLAN, client limits and whether the portal applies.',
  ],
  key: 'name',
  maxRows: 16,
  fields: {
    name: text(['配置名', 'Profile name'], { required: true }),
    ssid: text(['无线名称（SSID）', 'SSID'], { required: true, max: 32, like: ssidBytes }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    hidden: bool(['隐藏SSID', 'Hide SSID'], { default: false }),
    band: choice(['频段', 'Band'], ssidBands, { default: 'both' }),
    security: choice(
      ['安全类型', 'Security'],
      { open: ['开放', 'Open'], personal: ['个人级', 'Personal'], enterprise: ['企业级（802.1X）', 'Enterprise (802.1X)'] },
      { required: true, default: 'personal' },
    ),
    wpa: choice(
      ['WPA版本', 'WPA version'],
      { wpa2: ['WPA2', 'WPA2'], wpa2_wpa3: ['WPA2/WPA3混合', 'WPA2/WPA3 mixed'], wpa3: ['WPA3', 'WPA3'] },
      { default: 'wpa2_wpa3', when: ['security', 'personal'] },
    ),
    passphrase: secret(['无线密码', 'Passphrase'], { required: true, max: 63, like: passphrase, when: ['security', 'personal'] }),
    radius: ref(['RADIUS服务器', 'RADIUS server'], 'auth_radius', { required: true, when: ['security', 'enterprise'] }),
    vlan_id: int(['VLAN（0不标记）', 'VLAN (0 = untagged)'], { default: 0, min: 0, max: 4094 }),
    isolation: bool(['终端隔离', 'Client isolation'], { default: true }),
    portal: bool(['启用Portal认证', 'Portal login'], { default: true }),
    max_clients: int(['单射频最大终端数', 'Clients per radio'], { default: 64, min: 1, max: 255 }),
    client_down: rate(['单终端下行限速（0不限）', 'Per-client download (0 = none)'], { default: 0 }),
    client_up: rate(['单终端上行限速（0不限）', 'Per-client upload (0 = none)'], { default: 0 }),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
  },
});
