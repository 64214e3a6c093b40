import { bool, choice, duration, int, ref, secret, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { vendorCode } from '../../kit/patterns.ts';

export const reporterAudit = form('reporter_audit', {
  title: ['审计上报', 'Audit reports'],
  summary: [
    '设置上报监管平台的审计记录类型、加密方式和上报时间。',
    'Audit records sent to the supervising platform, their encryption and schedule.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    auth_account: bool(['认证账号', 'Login accounts'], { default: true }),
    virtual_identity: bool(['虚拟身份', 'Virtual identities'], { default: true }),
    network_site: bool(['网站访问', 'Site visits'], { default: true }),
    forum: bool(['论坛发帖', 'Forum posts'], { default: true }),
    mail: bool(['电子邮件', 'Email'], { default: true }),
    terminal: bool(['终端特征', 'Terminal features'], { default: true }),
    vendor_code: text(['厂商组织机构代码', 'Vendor organization code'], { max: 9, like: vendorCode }),
    encryption: choice(
      ['数据加密', 'Encryption'],
      { none: ['不加密', 'None'], aes256: ['AES-256', 'AES-256'], sm4: ['国密SM4', 'SM4'] },
      { required: true, default: 'sm4' },
    ),
    data_key: secret(['数据密钥', 'Data key'], { max: 64 }),
    interval: duration(['上报间隔', 'Interval'], { required: true, default: 30, min: 1, max: 1440, unit: 'min' }),
    window: ref(['允许时段', 'Allowed window'], 'network_time_group'),
    retry: int(['失败重试', 'Retries'], { default: 5, min: 0, max: 100 }),
  },
});
