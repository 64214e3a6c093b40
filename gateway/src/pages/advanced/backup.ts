import { bool, choice, duration, file, secret, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { MB } from '../../kit/size.ts';

export const advancedBackup = action('advanced_backup', {
  title: ['备份与恢复', 'Backup and restore'],
  summary: [
    '备份、恢复或重置配置，并防止丢失唯一上联。',
    'Saves, restores or resets the configuration, with protection against losing the only uplink.',
  ],
  fields: {
    operation: choice(
      ['操作', 'Operation'],
      { backup: ['备份', 'Back up'], restore: ['恢复', 'Restore'], reset: ['恢复出厂', 'Factory reset'] },
      { required: true, default: 'backup' },
    ),
    to_platform: bool(['同时上传平台', 'Also send to the platform'], { default: true, when: ['operation', 'backup'] }),
    encrypt_password: secret(['备份加密口令', 'Backup password'], { max: 32, when: ['operation', 'backup'] }),
    note: text(['备份说明', 'Note'], { max: 128, when: ['operation', 'backup'] }),
    restore_from: choice(
      ['恢复来源', 'Restore from'],
      { file: ['本地文件', 'Local file'], platform: ['平台备份', 'Platform backup'] },
      { required: true, default: 'file', when: ['operation', 'restore'] },
    ),
    backup_file: file(['备份文件', 'Backup file'], {
      required: true,
      bytes: 20 * MB,
      size: ['20MB', '20 MB'],
      named: /\.(bak|tar\.gz)$/,
      names: ['.bak或.tar.gz备份文件', 'A .bak or .tar.gz backup file'],
      when: ['restore_from', 'file'],
    }),
    decrypt_password: secret(['解密口令', 'Restore password'], { max: 32, when: ['restore_from', 'file'] }),
    backup_id: text(['平台备份编号', 'Platform backup ID'], { required: true, max: 32, when: ['restore_from', 'platform'] }),
    keep_links: bool(['保留现有WAN与卫星配置', 'Keep current WAN and satellite settings'], {
      default: true,
      when: ['operation', 'restore'],
    }),
    rollback: duration(['失联自动还原（0关闭）', 'Undo if unreachable after (0 = off)'], {
      default: 10,
      min: 0,
      max: 60,
      unit: 'min',
      when: ['operation', 'restore'],
    }),
    reset_keep_links: bool(['保留WAN与卫星配置', 'Keep WAN and satellite settings'], { default: true, when: ['operation', 'reset'] }),
    reset_keep_license: bool(['保留授权与平台绑定', 'Keep license and binding'], { default: true, when: ['operation', 'reset'] }),
    confirm: bool(['我已确认影响并继续', 'I understand the impact'], { required: true, default: false }),
  },
});
