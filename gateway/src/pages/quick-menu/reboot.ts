import { quick } from '../../kit/page.ts';

export const quickMenuReboot = quick('quick_menu_reboot', {
  title: ['重启设备', 'Restart'],
  summary: ['打开重启与关机页面。', 'Opens restart and shut down.'],
  opens: 'advanced_reboot',
});
