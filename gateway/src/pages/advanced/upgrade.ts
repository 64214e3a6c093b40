import { schedules } from '../../choices.ts';
import { bool, choice, file, rate, text, time } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { sha256, version } from '../../kit/patterns.ts';
import { MB } from '../../kit/size.ts';

export const advancedUpgrade = action('advanced_upgrade', {
  title: ['固件升级', 'Firmware upgrade'],
  summary: [
    '通过文件或平台升级、回退网关固件，升级前校验，并防止误走L波段。',
    'Upgrades or rolls back the gateway firmware from file or platform, with verification and protection against accidental use of L-band.',
  ],
  fields: {
    source: choice(
      ['固件来源', 'Firmware source'],
      { platform: ['平台固件', 'Platform firmware'], upload: ['本地上传', 'Upload'], rollback: ['回退上一版本', 'Roll back to previous'] },
      { required: true, default: 'platform' },
    ),
    version: text(['目标版本', 'Target version'], { required: true, max: 8, like: version, when: ['source', 'platform'] }),
    firmware: file(['固件文件', 'Firmware file'], {
      required: true,
      bytes: 256 * MB,
      size: ['256MB', '256 MB'],
      named: /\.(bin|img|tar)$/,
      names: ['.bin、.img或.tar文件', 'A .bin, .img or .tar file'],
      when: ['source', 'upload'],
    }),
    sha256: text(['SHA-256校验值', 'SHA-256'], { max: 64, like: sha256, when: ['source', 'upload'] }),
    keep_config: bool(['保留配置', 'Keep configuration'], { default: true }),
    backup_first: bool(['升级前自动备份', 'Back up first'], { default: true }),
    schedule: choice(['执行方式', 'When'], schedules, { required: true, default: 'now' }),
    start_at: time(['预约时间', 'Start at'], { required: true, when: ['schedule', 'at_time'] }),
    rate_limit: rate(['下载限速（0不限）', 'Download limit (0 = none)'], { default: 512 }),
    allow_lband: bool(['允许走L波段', 'Allow over L-band'], { default: false }),
    auto_rollback: bool(['启动失败自动回退', 'Roll back on boot failure'], { default: true }),
    confirm: bool(['我了解升级期间业务中断', 'I understand service will stop during the upgrade'], { required: true, default: false }),
  },
});
