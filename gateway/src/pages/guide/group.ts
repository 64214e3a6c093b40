import { group } from '../../kit/page.ts';
import { guidePlatformBinding } from './platform-binding.ts';
import { guideQuickSetup } from './quick-setup.ts';
import { guideSatelliteCommission } from './satellite-commission.ts';
import { guideWifiPortal } from './wifi-portal.ts';

export const guide = group(
  'guide',
  ['配置向导', 'Setup guide'],
  guideQuickSetup,
  guideSatelliteCommission,
  guideWifiPortal,
  guidePlatformBinding,
);
