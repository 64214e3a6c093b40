import { authorizationCalls } from './advanced/authorization.ts';
import { payConfigCalls } from './advanced/pay-config.ts';
import { authCalls } from './auth/auth.ts';
import { cardCalls } from './card/card.ts';
import { cardExportCalls } from './card/card-export.ts';
import { cardRuleCalls } from './card/card-rule.ts';
import { deviceCalls } from './device/device.ts';
import { exportCalls } from './export/export.ts';
import { billCalls } from './finance/bill.ts';
import { payOrderCalls } from './finance/pay-order.ts';
import type { Endpoint } from './kit/endpoint.ts';
import { billExportLogCalls } from './log/bill-export-log.ts';
import { logCalls } from './log/operator-log.ts';
import { policyLogCalls } from './log/policy-log.ts';
import { syncLogCalls } from './log/sync-log.ts';
import { extraCalls, packageCalls } from './package/package.ts';
import { applicationCalls, policyCalls } from './package/template.ts';
import { staffRoles, vnoRoles } from './permission/role.ts';
import { staffCalls } from './permission/sub-account.ts';
import { addCalls } from './user/add.ts';
import { demoCall, importCall } from './user/import-user.ts';
import { moneyCalls } from './user/money.ts';
import { openConfigCalls } from './user/open-config.ts';
import { openingCalls } from './user/opening.ts';
import { settingCalls } from './user/setting.ts';
import { tempCardCalls } from './user/temp-card.ts';
import { userCalls } from './user/user.ts';
import { userBillCalls } from './user/user-bill.ts';
import { userDetailCalls } from './user/user-detail.ts';
import { userPackageCalls } from './user/user-package.ts';
import { vnoCalls } from './vno/vno.ts';
import { vnoAccountCalls } from './vno/vno-account.ts';
import { prefixCalls } from './vno/vno-prefix.ts';

/** Every call of the system, flat. */
export const endpoints: readonly Endpoint[] = [
  authCalls,
  vnoCalls,
  vnoAccountCalls,
  vnoRoles.calls,
  prefixCalls,
  staffCalls,
  staffRoles.calls,
  authorizationCalls,
  payConfigCalls,
  payOrderCalls,
  packageCalls,
  extraCalls,
  applicationCalls,
  policyCalls,
  deviceCalls,
  userCalls,
  addCalls,
  userDetailCalls,
  openConfigCalls,
  openingCalls,
  { importCall, demoCall },
  tempCardCalls,
  settingCalls,
  moneyCalls,
  userPackageCalls,
  userBillCalls,
  cardRuleCalls,
  cardCalls,
  cardExportCalls,
  billCalls,
  billExportLogCalls,
  logCalls,
  syncLogCalls,
  policyLogCalls,
  exportCalls,
].flatMap((calls): Endpoint[] => Object.values(calls));
