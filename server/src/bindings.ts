import type { Binding } from './kit/http/serve.ts';
import { advancedBindings } from './modules/advanced/index.ts';
import { auditBindings } from './modules/audit/index.ts';
import { authBindings } from './modules/auth/index.ts';
import { cardBindings } from './modules/card/index.ts';
import { configCampaignBindings } from './modules/config/campaigns/index.ts';
import { compareBindings } from './modules/config/compare/index.ts';
import { templateBindings } from './modules/config/config-template/index.ts';
import { configBindings } from './modules/config/core/index.ts';
import { liveConfigBindings } from './modules/config/live/index.ts';
import { backupBindings } from './modules/device/backup/index.ts';
import { deviceDetailBindings } from './modules/device/detail/index.ts';
import { deviceBindings } from './modules/device/index.ts';
import { liveBindings } from './modules/device/live/index.ts';
import { remoteBindings } from './modules/device/remote/index.ts';
import { transferBindings } from './modules/device/transfer/index.ts';
import { exportBindings } from './modules/export/index.ts';
import { feedbackBindings } from './modules/feedback/index.ts';
import { fileBindings } from './modules/file/index.ts';
import { financeBindings } from './modules/finance/index.ts';
import { firmwareBindings } from './modules/firmware/index.ts';
import { homeBindings } from './modules/home/index.ts';
import { logBindings } from './modules/log/index.ts';
import { marketBindings } from './modules/market/index.ts';
import { packageBindings } from './modules/package/index.ts';
import { paymentBindings } from './modules/payment/index.ts';
import { permissionBindings } from './modules/permission/index.ts';
import { portalBindings } from './modules/portal/index.ts';
import { portalSendBindings } from './modules/portal-send/index.ts';
import { trafficBindings } from './modules/traffic/index.ts';
import { dpiTaskBindings } from './modules/traffic-task/index.ts';
import { userBindings } from './modules/user/index.ts';
import { openingBindings } from './modules/user/opening/index.ts';
import { settingBindings } from './modules/user/setting/index.ts';
import { vnoBindings } from './modules/vno/index.ts';

export const bindings: readonly Binding[] = [
  ...authBindings,
  ...homeBindings,
  ...vnoBindings,
  ...permissionBindings,
  ...advancedBindings,
  ...feedbackBindings,
  ...packageBindings,
  ...deviceBindings,
  ...transferBindings,
  ...backupBindings,
  ...fileBindings,
  ...deviceDetailBindings,
  ...liveBindings,
  ...configBindings,
  ...liveConfigBindings,
  ...templateBindings,
  ...configCampaignBindings,
  ...compareBindings,
  ...remoteBindings,
  ...userBindings,
  ...openingBindings,
  ...settingBindings,
  ...cardBindings,
  ...trafficBindings,
  ...financeBindings,
  ...firmwareBindings,
  ...paymentBindings,
  ...marketBindings,
  ...portalSendBindings,
  ...dpiTaskBindings,
  ...portalBindings,
  ...auditBindings,
  ...logBindings,
  ...exportBindings,
];
