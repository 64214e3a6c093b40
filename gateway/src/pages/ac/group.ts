import { group } from '../../kit/page.ts';
import { acAcl } from './acl.ts';
import { acApGroup } from './ap-group.ts';
import { acApList } from './ap-list.ts';
import { acApUpgrade } from './ap-upgrade.ts';
import { acRadio } from './radio.ts';
import { acRoaming } from './roaming.ts';
import { acSetting } from './setting.ts';
import { acSsid } from './ssid.ts';
import { acStation } from './station.ts';

export const ac = group(
  'ac',
  ['无线管理（AC）', 'Wireless (AC)'],
  acSetting,
  acApList,
  acApGroup,
  acSsid,
  acRadio,
  acRoaming,
  acStation,
  acAcl,
  acApUpgrade,
);
