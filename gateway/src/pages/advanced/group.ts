import { group } from '../../kit/page.ts';
import { advancedAdmin } from './admin.ts';
import { advancedAlarm } from './alarm.ts';
import { advancedBackup } from './backup.ts';
import { advancedCloudPlatform } from './cloud-platform.ts';
import { advancedDeviceInfo } from './device-info.ts';
import { advancedReboot } from './reboot.ts';
import { advancedRebootSchedule } from './reboot-schedule.ts';
import { advancedRemoteManage } from './remote-manage.ts';
import { advancedSnmp } from './snmp.ts';
import { advancedSyslog } from './syslog.ts';
import { advancedTime } from './time.ts';
import { advancedUpgrade } from './upgrade.ts';

export const advanced = group(
  'advanced',
  ['高级设置', 'Advanced'],
  advancedDeviceInfo,
  advancedTime,
  advancedAdmin,
  advancedRebootSchedule,
  advancedReboot,
  advancedBackup,
  advancedUpgrade,
  advancedSnmp,
  advancedSyslog,
  advancedCloudPlatform,
  advancedRemoteManage,
  advancedAlarm,
);
