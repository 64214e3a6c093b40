import { ssidBands } from '../../choices.ts';
import { bool, choice, int, interfaceAddress, rate, secret, text } from '../../kit/field.ts';
import { wizard } from '../../kit/page.ts';
import { passphrase, ssidBytes } from '../../kit/patterns.ts';
import { subnetFree } from '../../kit/subnet-rules.ts';

export const guideWifiPortal = wizard('guide_wifi_portal', {
  title: ['无线与认证', 'Wi-Fi and portal'],
  summary: ['在独立VLAN上新建一个SSID，并启用Portal认证。', 'Creates an SSID on its own VLAN and enables the login portal.'],
  fields: {
    ssid: text(['无线名称', 'SSID'], { required: true, max: 32, like: ssidBytes }),
    band: choice(['频段', 'Band'], ssidBands, { default: 'both' }),
    security: choice(
      ['加密方式', 'Security'],
      { open: ['不加密', 'Open'], personal: ['WPA2/WPA3个人版', 'WPA2/WPA3 personal'] },
      { required: true, default: 'open' },
    ),
    passphrase: secret(['无线密码', 'Passphrase'], { required: true, max: 63, like: passphrase, when: ['security', 'personal'] }),
    vlan_id: int(['业务VLAN', 'Service VLAN'], { required: true, default: 20, min: 1, max: 4094 }),
    gateway_ip: interfaceAddress(['业务网段网关', 'Service subnet gateway'], { required: true, default: '192.168.20.1/24' }),
    portal_enabled: bool(['开启Portal认证', 'Enable portal login'], { default: true }),
    portal_type: choice(
      ['Portal类型', 'Portal type'],
      { platform: ['平台下发', 'Issued by platform'], local: ['本地页面', 'Local page'] },
      { required: true, default: 'platform', when: ['portal_enabled', true] },
    ),
    client_down: rate(['单终端下行限速', 'Per-client download limit'], { default: 1024 }),
    client_up: rate(['单终端上行限速', 'Per-client upload limit'], { default: 256 }),
  },
  rules: [subnetFree('gateway_ip', 'vlan_id')],
});
