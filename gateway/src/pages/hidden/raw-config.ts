import { bool, choice, duration, longText, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';

export const hiddenRawConfig = action('hidden_raw_config', {
  title: ['原始配置', 'Raw configuration'],
  summary: [
    '查看或应用原始配置，支持试运行，网关失联时自动回滚。',
    'Shows or applies raw configuration with a dry run and automatic roll-back if the gateway becomes unreachable.',
  ],
  hidden: true,
  fields: {
    operation: choice(
      ['操作', 'Operation'],
      { export: ['导出', 'Export'], diff: ['比较', 'Compare'], apply: ['应用', 'Apply'] },
      { required: true, default: 'export' },
    ),
    package: choice(
      ['配置包', 'Package'],
      {
        network: ['网络', 'Network'],
        dhcp: ['DHCP与DNS', 'DHCP and DNS'],
        firewall: ['防火墙', 'Firewall'],
        links: ['链路与仲裁', 'Links and arbiter'],
        satellite: ['卫星', 'Satellite'],
        wireless: ['无线', 'Wireless'],
        system: ['系统', 'System'],
      },
      { required: true, default: 'network' },
    ),
    content: longText(['配置内容', 'Content'], { max: 65_536, when: ['operation', 'apply'], secret: true }),
    dry_run: bool(['仅试运行', 'Dry run only'], { default: true, when: ['operation', 'apply'] }),
    rollback: duration(['未确认自动回滚', 'Roll back unless confirmed within'], {
      default: 90,
      min: 30,
      max: 600,
      unit: 's',
      when: ['operation', 'apply'],
    }),
    reason: text(['操作原因', 'Reason'], { required: true, max: 128 }),
    confirm: bool(['我已确认影响并继续', 'I understand the impact'], { required: true, default: false }),
  },
});
