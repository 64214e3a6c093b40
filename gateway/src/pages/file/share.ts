import { bool, choice, iface, int, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { requiredIf } from '../../kit/page-rules.ts';
import { folder } from '../../kit/patterns.ts';

export const fileShare = list('file_share', {
  title: ['共享目录', 'Shared folders'],
  summary: [
    '通过SMB、FTP或网页向船上提供共享目录，如海图、影片和通知。',
    'Folders offered to the ship over SMB, FTP or web, such as charts, films and notices.',
  ],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['共享名', 'Share name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    path: text(['目录', 'Path'], { required: true, max: 128, like: folder }),
    protocol: choice(
      ['共享方式', 'Protocol'],
      { smb: ['SMB', 'SMB'], ftp: ['FTP', 'FTP'], http: ['网页', 'Web'] },
      { required: true, default: 'smb' },
    ),
    interface: iface(['开放接口', 'Interface'], { required: true }),
    access: choice(
      ['访问方式', 'Access'],
      {
        read: ['匿名只读', 'Anonymous, read only'],
        auth_read: ['登录只读', 'Login, read only'],
        auth_write: ['登录读写', 'Login, read and write'],
      },
      { required: true, default: 'read' },
    ),
    share_password: secret(['访问密码', 'Access password'], { max: 32 }),
    portal_show: bool(['在Portal显示', 'Show on the portal'], { default: false }),
    quota_mb: int(['容量上限（0不限）', 'Size limit (0 = none)'], { default: 0, min: 0, max: 10_000_000, unit: 'MB' }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [requiredIf('share_password', (share) => share.access !== 'read')],
});
