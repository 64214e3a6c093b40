import { vpnRoles } from '../../choices.ts';
import { bool, choice, cidr, duration, file, int, port, ref, rows, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { hostName } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';
import { MB } from '../../kit/size.ts';

export const vpnOpenvpn = list('vpn_openvpn', {
  title: ['OpenVPN', 'OpenVPN'],
  summary: [
    '配置OpenVPN服务端或客户端实例，含证书、加密算法和推送路由。',
    'OpenVPN instances in either role with certificates, ciphers and pushed routes.',
  ],
  key: 'name',
  maxRows: 8,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    role: choice(['角色', 'Role'], vpnRoles, { required: true, default: 'client' }),
    transport: choice(['传输协议', 'Transport'], { udp: ['UDP', 'UDP'], tcp: ['TCP', 'TCP'] }, { required: true, default: 'udp' }),
    port: port(['端口', 'Port'], { required: true, default: 1194 }),
    device: choice(
      ['设备类型', 'Device'],
      { tun: ['TUN（三层）', 'TUN (layer 3)'], tap: ['TAP（二层）', 'TAP (layer 2)'] },
      { default: 'tun' },
    ),
    link: ref(['绑定链路（空为自动）', 'Bound link (empty = automatic)'], 'network_wan'),
    remote: text(['服务器', 'Server'], { required: true, max: 255, like: hostName, when: ['role', 'client'] }),
    username: text(['账号', 'Username'], { max: 64, when: ['role', 'client'] }),
    password: secret(['密码', 'Password'], { max: 64, when: ['role', 'client'] }),
    tunnel_network: cidr(['隧道网段', 'Tunnel network'], { required: true, default: '10.8.0.0/24', when: ['role', 'server'] }),
    push_routes: rows(
      ['下发路由', 'Pushed routes'],
      { max: 32, when: ['role', 'server'] },
      { subnet: cidr(['网段', 'Subnet'], { required: true }) },
    ),
    user_auth: bool(['校验VPN账号', 'Check VPN users'], { default: true, when: ['role', 'server'] }),
    ca: ref(['CA证书', 'CA certificate'], 'vpn_certificate', { required: true }),
    certificate: ref(['本端证书', 'Local certificate'], 'vpn_certificate'),
    tls_key: file(['TLS加密密钥', 'TLS-crypt key'], {
      bytes: 1 * MB,
      size: ['1MB', '1 MB'],
      named: /^[^.]+$|\.[kK][eE][yY]$/,
      names: ['密钥文件，无后缀或.key', 'A key file without suffix or with .key'],
      secret: true,
    }),
    cipher: choice(
      ['加密算法', 'Cipher'],
      {
        aes256gcm: ['AES-256-GCM', 'AES-256-GCM'],
        aes128gcm: ['AES-128-GCM', 'AES-128-GCM'],
        chacha20: ['ChaCha20-Poly1305', 'ChaCha20-Poly1305'],
      },
      { default: 'aes256gcm' },
    ),
    ping_interval: duration(['保活间隔', 'Keep-alive interval'], { default: 20, min: 5, max: 600, unit: 's' }),
    ping_restart: duration(['失联重连', 'Restart after silence'], { default: 120, min: 10, max: 3600, unit: 's' }),
    mssfix: int(['MSS调整', 'MSS fix'], { default: 1360, min: 500, max: 1460, unit: 'B' }),
  },
  rules: [portsFree],
});
