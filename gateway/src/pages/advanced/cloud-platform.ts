import { billingModes } from '../../choices.ts';
import { bool, choice, duration, port, ref, secret, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { hostName, merchantCode } from '../../kit/patterns.ts';

export const advancedCloudPlatform = form('advanced_cloud_platform', {
  title: ['平台地址', 'Cloud platform'],
  summary: [
    '设置运营平台的地址、密钥和心跳，L波段时降低心跳频率。',
    'Address, keys and heartbeat of the operator platform, slower on L-band.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    host: text(['平台地址', 'Platform address'], { required: true, max: 255, like: hostName }),
    port: port(['端口', 'Port'], { required: true, default: 443 }),
    backup_host: text(['备用平台地址', 'Backup address'], { max: 255, like: hostName }),
    tls: bool(['加密连接', 'Use TLS'], { default: true }),
    ca: ref(['校验证书', 'Verify with'], 'vpn_certificate', { when: ['tls', true] }),
    merchant_code: text(['商户编码', 'Merchant code'], { required: true, max: 32, like: merchantCode }),
    device_key: secret(['设备密钥', 'Device key'], { required: true, max: 64 }),
    billing_mode: choice(['计费模式', 'Billing mode'], billingModes),
    restore_backup: bool(['绑定后恢复平台备份', 'Restore platform backup after binding'], { default: false }),
    heartbeat: duration(['心跳间隔', 'Heartbeat'], { required: true, default: 60, min: 10, max: 3600, unit: 's' }),
    lband_heartbeat: duration(['L波段心跳间隔', 'Heartbeat on L-band'], { required: true, default: 900, min: 60, max: 86_400, unit: 's' }),
    proxy: bool(['使用代理', 'Use proxy'], { default: false }),
    proxy_host: text(['代理地址', 'Proxy address'], { required: true, max: 255, like: hostName, when: ['proxy', true] }),
    proxy_port: port(['代理端口', 'Proxy port'], { required: true, default: 8080, when: ['proxy', true] }),
    accept_config: bool(['接受平台下发配置', 'Accept configuration from the platform'], { default: true }),
  },
});
