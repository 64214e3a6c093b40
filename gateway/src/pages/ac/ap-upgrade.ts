import { schedules } from '../../choices.ts';
import { bool, choice, file, int, ref, text, time } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { version } from '../../kit/patterns.ts';
import { MB } from '../../kit/size.ts';

export const acApUpgrade = action('ac_ap_upgrade', {
  title: ['AP升级', 'AP upgrade'],
  summary: ['使用本地文件或平台固件分批升级AP。', 'Upgrades access points in batches, from a local file or platform firmware.'],
  fields: {
    scope: choice(
      ['升级范围', 'Scope'],
      { all: ['全部AP', 'All APs'], group: ['按分组', 'One group'], ap: ['指定AP', 'One AP'] },
      { required: true, default: 'group' },
    ),
    group: ref(['AP分组', 'AP group'], 'ac_ap_group', { required: true, when: ['scope', 'group'] }),
    ap: ref(['AP', 'Access point'], 'ac_ap_list', { required: true, when: ['scope', 'ap'] }),
    source: choice(
      ['固件来源', 'Firmware source'],
      { upload: ['本地上传', 'Upload'], platform: ['平台固件', 'Platform firmware'] },
      { required: true, default: 'upload' },
    ),
    firmware: file(['固件文件', 'Firmware file'], {
      required: true,
      bytes: 64 * MB,
      size: ['64MB', '64 MB'],
      named: /\.(bin|img|tar)$/,
      names: ['.bin、.img或.tar文件', 'A .bin, .img or .tar file'],
      when: ['source', 'upload'],
    }),
    version: text(['固件版本', 'Firmware version'], { required: true, max: 8, like: version, when: ['source', 'platform'] }),
    batch_size: int(['每批数量', 'Batch size'], { default: 5, min: 1, max: 64 }),
    stop_on_fail: bool(['失败即停止', 'Stop at first failure'], { default: true }),
    schedule: choice(['执行方式', 'When'], schedules, { required: true, default: 'now' }),
    start_at: time(['预约时间', 'Start at'], { required: true, when: ['schedule', 'at_time'] }),
    confirm: bool(['我了解升级期间无线会中断', 'I understand Wi-Fi will be interrupted'], { required: true, default: false }),
  },
});
