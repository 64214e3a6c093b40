import { ipsecCiphers, ipsecHashes } from '../../choices.ts';
import { bool, choice, cidr, duration, ref, rows, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { hostName, preSharedKey } from '../../kit/patterns.ts';

export const vpnIpsec = list('vpn_ipsec', {
  title: ['IPsec', 'IPsec'],
  summary: [
    '配置到岸端的站点间隧道：IKE提议、适应卫星时延的对端检测和国密算法。',
    'Site-to-site tunnels to shore with IKE proposals, dead-peer timers fit for satellite delay, and national ciphers.',
  ],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    link: ref(['绑定链路（空为自动）', 'Bound link (empty = automatic)'], 'network_wan'),
    remote: text(['对端地址或域名', 'Remote address or host'], { required: true, max: 255, like: hostName }),
    local_id: text(['本端标识', 'Local ID'], { max: 128 }),
    remote_id: text(['对端标识', 'Remote ID'], { max: 128 }),
    auth: choice(
      ['认证方式', 'Authentication'],
      { psk: ['预共享密钥', 'Pre-shared key'], cert: ['证书', 'Certificate'] },
      { required: true, default: 'psk' },
    ),
    psk: secret(['预共享密钥', 'Pre-shared key'], { required: true, max: 64, like: preSharedKey, when: ['auth', 'psk'] }),
    certificate: ref(['本端证书', 'Local certificate'], 'vpn_certificate', { required: true, when: ['auth', 'cert'] }),
    ike_version: choice(
      ['IKE版本', 'IKE version'],
      { ikev2: ['IKEv2', 'IKEv2'], ikev1: ['IKEv1', 'IKEv1'] },
      { required: true, default: 'ikev2' },
    ),
    exchange_mode: choice(
      ['协商模式', 'Exchange mode'],
      { main: ['主模式', 'Main'], aggressive: ['野蛮模式', 'Aggressive'] },
      { default: 'main', when: ['ike_version', 'ikev1'] },
    ),
    mobike: bool(['MOBIKE（换链路不断隧道）', 'MOBIKE (survive link change)'], { default: true, when: ['ike_version', 'ikev2'] }),
    ike_encryption: choice(['IKE加密', 'IKE encryption'], ipsecCiphers, { default: 'aes256' }),
    ike_hash: choice(['IKE摘要', 'IKE hash'], ipsecHashes, { default: 'sha256' }),
    ike_dh: choice(
      ['IKE DH组', 'IKE DH group'],
      {
        '14': ['组14（2048位）', 'Group 14 (2048 bit)'],
        '19': ['组19（ECP-256）', 'Group 19 (ECP-256)'],
        '20': ['组20（ECP-384）', 'Group 20 (ECP-384)'],
        '21': ['组21（ECP-521）', 'Group 21 (ECP-521)'],
      },
      { default: '14' },
    ),
    ike_lifetime: duration(['IKE生存期', 'IKE lifetime'], { default: 8, min: 1, max: 72, unit: 'h' }),
    esp_encryption: choice(['ESP加密', 'ESP encryption'], ipsecCiphers, { default: 'aes256' }),
    esp_hash: choice(['ESP摘要', 'ESP hash'], ipsecHashes, { default: 'sha256' }),
    pfs: bool(['完美前向保密（PFS）', 'Perfect forward secrecy'], { default: true }),
    esp_lifetime: duration(['ESP生存期', 'ESP lifetime'], { default: 1, min: 1, max: 24, unit: 'h' }),
    local_subnets: rows(
      ['本端网段', 'Local subnets'],
      { required: true, min: 1, max: 32 },
      { subnet: cidr(['网段', 'Subnet'], { required: true }) },
    ),
    remote_subnets: rows(
      ['对端网段', 'Remote subnets'],
      { required: true, min: 1, max: 32 },
      { subnet: cidr(['网段', 'Subnet'], { required: true }) },
    ),
    dpd_delay: duration(['DPD间隔（0关闭）', 'DPD interval (0 = off)'], { default: 60, min: 0, max: 3600, unit: 's' }),
    dpd_action: choice(
      ['对端失联动作', 'When the peer is dead'],
      { restart: ['重建', 'Restart'], trap: ['按需重建', 'Rebuild on demand'], clear: ['清除', 'Clear'] },
      { default: 'restart' },
    ),
    start_action: choice(
      ['启动方式', 'Start'],
      { trap: ['有流量时', 'On traffic'], start: ['立即', 'Immediately'], none: ['被动等待', 'Wait for peer'] },
      { default: 'trap' },
    ),
  },
});
