import { group } from '../../kit/page.ts';
import { quickMenuHealthCheck } from './health-check.ts';
import { quickMenuOnlineUser } from './online-user.ts';
import { quickMenuReboot } from './reboot.ts';
import { quickMenuSatellite } from './satellite.ts';
import { quickMenuSwitchLink } from './switch-link.ts';

export const quickMenu = group(
  'quick_menu',
  ['快捷菜单', 'Quick menu'],
  quickMenuSwitchLink,
  quickMenuSatellite,
  quickMenuOnlineUser,
  quickMenuHealthCheck,
  quickMenuReboot,
);
