import { quick } from '../../kit/page.ts';

export const quickMenuSwitchLink = quick('quick_menu_switch_link', {
  title: ['切换链路', 'Switch link'],
  summary: ['打开手动切换页面。', 'Opens manual link switching.'],
  opens: 'link_change_manual',
});
