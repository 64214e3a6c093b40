import type { SectionNames } from '../../kit/form/sections.ts';

/** Both account forms have the same field order. */
export const userSections: readonly SectionNames[] = [
  {
    title: ['账号', 'Account'],
    fields: ['config_id', 'account_type', 'account_prefix', 'account', 'password', 'repassword', 'allow_logins', 'expire_at'],
  },
  {
    title: ['身份信息', 'Identity'],
    fields: [
      'name',
      'phone',
      'id_type',
      'id_number',
      'email',
      'cert_start_at',
      'cert_end_at',
      'issuing_authority',
      'photo',
      'photo_remove',
    ],
  },
  { title: ['绑定', 'Binding'], fields: ['bind_type', 'device_id', 'device_group_id', 'bind_ip', 'bind_mac', 'vlan_id'] },
  { title: ['套餐与收款', 'Package and payment'], fields: ['package_id', 'pay_method', 'amount', 'discount'] },
  { title: ['策略', 'Policy'], fields: ['custom_policy', 'application_id', 'policy_id'] },
];
