import { changeModes } from '../../choices.ts';
import { bool, choice, duration, int, ref } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { differs } from '../../kit/page-rules.ts';

export const linkChangeMode = form('link_change_mode', {
  title: ['切换模式', 'Change mode'],
  summary: ['设置默认、备份或漫游模式，以及回切和防抖动时间。', 'Default, backup or roaming behavior plus failback and anti-flap timers.'],
  fields: {
    change_mode: choice(['切换模式', 'Change mode'], changeModes, { required: true, default: 'default' }),
    primary_link: ref(['主链路', 'Primary link'], 'network_wan', { required: true }),
    backup_link: ref(['备份链路', 'Backup link'], 'network_wan', { required: true, when: ['change_mode', 'backup'] }),
    roaming_strategy: choice(
      ['漫游策略', 'Roaming strategy'],
      { quality: ['质量最优', 'Best quality'], cost: ['费用最低', 'Lowest cost'], beam: ['跟随波束覆盖', 'Follow beam coverage'] },
      { required: true, default: 'quality', when: ['change_mode', 'roaming'] },
    ),
    failback: bool(['恢复后回切', 'Fail back after recovery'], { default: true }),
    failback_delay: duration(['回切观察时间', 'Failback delay'], { default: 300, min: 10, max: 7200, unit: 's', when: ['failback', true] }),
    min_hold: duration(['最短驻留时间', 'Minimum hold time'], { default: 120, min: 0, max: 7200, unit: 's' }),
    max_per_hour: int(['每小时最多切换次数', 'Switches per hour'], { default: 6, min: 1, max: 60 }),
    sessions: choice(
      ['切换时已有会话', 'Existing sessions on switch'],
      { flush: ['立即清除', 'Flush'], drain: ['自然结束', 'Drain'] },
      { default: 'flush' },
    ),
    boot_delay: duration(['开机选路等待', 'Wait after boot'], { default: 120, min: 0, max: 1800, unit: 's' }),
  },
  rules: [differs('backup_link', 'primary_link')],
});
