import { quick } from '../../kit/page.ts';

export const quickMenuOnlineUser = quick('quick_menu_online_user', {
  title: ['在线用户', 'Online users'],
  summary: ['打开在线用户列表。', 'Opens the online-user list.'],
  opens: 'status_online_user',
});
