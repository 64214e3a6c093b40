import { billingModes } from '../../choices.ts';
import { bool, choice, port, secret, text } from '../../kit/field.ts';
import { wizard } from '../../kit/page.ts';
import { hostName, merchantCode } from '../../kit/patterns.ts';

export const guidePlatformBinding = wizard('guide_platform_binding', {
  title: ['平台绑定', 'Platform binding'],
  summary: [
    '使用商户编码和设备密钥将网关注册到运营平台。',
    'Registers the gateway with the operator platform using its merchant code and device key.',
  ],
  fields: {
    platform_host: text(['平台地址', 'Platform address'], { required: true, max: 255, like: hostName }),
    platform_port: port(['平台端口', 'Platform port'], { required: true, default: 443 }),
    tls: bool(['加密连接', 'Use TLS'], { default: true }),
    merchant_code: text(['商户编码', 'Merchant code'], { required: true, max: 32, like: merchantCode }),
    device_key: secret(['设备密钥', 'Device key'], { required: true, max: 64 }),
    device_name: text(['平台显示名称', 'Name shown on the platform']),
    billing_mode: choice(['计费模式', 'Billing mode'], billingModes, { required: true, default: 1 }),
    restore_backup: bool(['绑定后恢复平台备份', 'Restore platform backup after binding'], { default: false }),
  },
});
