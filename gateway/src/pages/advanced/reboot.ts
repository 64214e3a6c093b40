import { bool, choice, duration, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';

export const advancedReboot = action('advanced_reboot', {
  title: ['重启与关机', 'Restart and shut down'],
  summary: ['立即重启网关或其网络服务，或关机。', 'Restarts the gateway or its network services now, or shuts it down.'],
  fields: {
    operation: choice(
      ['操作', 'Operation'],
      {
        reboot: ['重启网关', 'Restart gateway'],
        network: ['重启网络服务', 'Restart network services'],
        shutdown: ['关机（需现场开机）', 'Shut down (power on by hand)'],
      },
      { required: true, default: 'reboot' },
    ),
    delay: duration(['延时执行', 'Delay'], { default: 0, min: 0, max: 3600, unit: 's' }),
    reason: text(['操作原因', 'Reason'], { required: true, max: 128 }),
    confirm: bool(['我了解业务会中断', 'I understand service will stop'], { required: true, default: false }),
  },
});
