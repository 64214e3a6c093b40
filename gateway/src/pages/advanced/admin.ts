import { bool, choice, cidr, rows, secret, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { adminName, pagePermission, phone, strongPassword } from '../../kit/patterns.ts';

export const advancedAdmin = list('advanced_admin', {
  title: ['管理员账号', 'Administrators'],
  summary: ['管理本地管理员账号的角色、允许来源和页面权限。', 'Local console accounts with role, allowed sources and page permissions.'],
  key: 'username',
  maxRows: 16,
  fields: {
    username: text(['账号', 'Username'], { required: true, max: 32, like: adminName }),
    password: secret(['密码', 'Password'], { required: true, max: 32, like: strongPassword }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    role: choice(
      ['角色', 'Role'],
      {
        super: ['超级管理员', 'Super administrator'],
        operator: ['运维', 'Operator'],
        captain: ['船方管理员', 'On-board administrator'],
        auditor: ['审计员', 'Auditor'],
        viewer: ['只读', 'Read only'],
        custom: ['自定义', 'Custom'],
      },
      { required: true, default: 'viewer' },
    ),
    permissions: rows(
      ['页面权限', 'Page permissions'],
      { max: 150, when: ['role', 'custom'] },
      {
        permission: text(['权限键', 'Permission key'], { required: true, max: 64, like: pagePermission }),
        access: choice(
          ['权限', 'Access'],
          { write: ['可操作', 'Operable'], read: ['仅查看', 'Show only'], none: ['不可见', 'Invisible'] },
          { required: true, default: 'read' },
        ),
      },
    ),
    allow_from: rows(['允许登录地址', 'Allowed sources'], { max: 16 }, { subnet: cidr(['网段', 'Subnet'], { required: true }) }),
    allow_remote: bool(['允许经平台远程登录', 'Allow login through the platform'], { default: false }),
    phone: text(['手机号', 'Phone'], { max: 32, like: phone }),
    expire_at: time(['到期时间', 'Expires at']),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
