import { announcementCalls, receivedAnnouncementCalls } from './advanced/announcement.ts';
import { apLinkNotificationCalls } from './advanced/ap-link-notification.ts';
import { authorizationCalls } from './advanced/authorization.ts';
import { dangerSiteCalls } from './advanced/danger-site.ts';
import { deviceStatusNotifyCalls } from './advanced/device-status-notify.ts';
import { mailServerCalls } from './advanced/mail-server.ts';
import { nasCalls } from './advanced/nas.ts';
import { nasDetailCalls } from './advanced/nas-detail.ts';
import { payConfigCalls } from './advanced/pay-config.ts';
import { systemStatusCalls } from './advanced/system-status.ts';
import { tempReleaseCalls } from './advanced/temp-release.ts';
import { auditAccessLogCalls } from './audit/audit-access-log.ts';
import { auditEvidenceCalls } from './audit/audit-evidence.ts';
import { auditHoldCalls } from './audit/audit-hold.ts';
import { auditRevealCalls } from './audit/audit-reveal.ts';
import { auditAuthCalls } from './audit/auth-account.ts';
import { auditMailCalls } from './audit/electronic-mail.ts';
import { auditForumCalls } from './audit/network-forum.ts';
import { auditUrlCalls } from './audit/network-url.ts';
import { auditTerminalCalls } from './audit/terminal-acquisition.ts';
import { auditIdentityCalls } from './audit/virtual-identity.ts';
import { authCalls } from './auth/auth.ts';
import { cardCalls } from './card/card.ts';
import { cardExportCalls } from './card/card-export.ts';
import { cardRuleCalls } from './card/card-rule.ts';
import { configCampaignCalls } from './config/campaign.ts';
import { compareCalls } from './config/compare.ts';
import { configCalls } from './config/config.ts';
import { templateCalls } from './config/config-template.ts';
import { exchangeCalls } from './config/exchange.ts';
import { gatewayAccountCalls } from './config/gateway-config.ts';
import { runCalls } from './config/run.ts';
import { terminalCalls } from './config/terminal.ts';
import { variableCalls } from './config/variable.ts';
import { watchCalls } from './config/watch.ts';
import { wizardCalls } from './config/wizard.ts';
import { assignLogCalls } from './device/assign-log.ts';
import { backupCalls } from './device/backup.ts';
import { deviceCalls } from './device/device.ts';
import { deviceAccountCalls } from './device/device-account.ts';
import { deviceDetailCalls } from './device/device-detail.ts';
import { fenceStatusSendCalls } from './device/fence-status-send.ts';
import { groupCalls } from './device/group.ts';
import { linkStatusColorCalls } from './device/link-status-color.ts';
import { liveCalls } from './device/live.ts';
import { loadCalls } from './device/load.ts';
import { onlineUserCalls } from './device/online-user.ts';
import { devicePortalCalls } from './device/portal.ts';
import { remoteCalls } from './device/remote.ts';
import { transferCalls } from './device/transfer.ts';
import { videoCalls } from './device/video.ts';
import { exportCalls } from './export/export.ts';
import { feedbackCalls } from './feedback/feedback.ts';
import { fileCalls } from './file/file.ts';
import { fileTaskCalls } from './file/file-log.ts';
import { billCalls } from './finance/bill.ts';
import { collectionCalls } from './finance/collection.ts';
import { handoverCalls } from './finance/handover.ts';
import { payOrderCalls, payOrderQuote } from './finance/pay-order.ts';
import { receiptCalls } from './finance/receipt.ts';
import { settlementCalls } from './finance/settlement.ts';
import { campaignCalls } from './firmware/campaign.ts';
import { firmwareLogCalls } from './firmware/download-log.ts';
import { firmwareCalls } from './firmware/firmware.ts';
import { upgradeCalls } from './firmware/upgrade.ts';
import { homeCalls } from './home/home.ts';
import type { Endpoint } from './kit/endpoint.ts';
import { accountSyncLogCalls } from './log/account-sync-log.ts';
import { apLinkLogCalls } from './log/ap-link-log.ts';
import { billExportLogCalls } from './log/bill-export-log.ts';
import { dockerExportCalls } from './log/docker-export-log.ts';
import { dockerCalls } from './log/docker-log.ts';
import { linkLogCalls } from './log/link-log.ts';
import { logCalls } from './log/operator-log.ts';
import { userAppLogCalls } from './log/user-app-log.ts';
import { wanChangeLogCalls } from './log/wan-change-log.ts';
import { brandCalls } from './market/brand.ts';
import { domainCalls } from './market/domain.ts';
import { infoCalls } from './market/info-setup.ts';
import { portalCalls } from './market/portal.ts';
import { portalSendCalls } from './market/portal-send.ts';
import { extraCalls } from './package/extra-package.ts';
import { offerCalls } from './package/offer.ts';
import { packageCalls } from './package/package.ts';
import { applicationCalls, policyCalls } from './package/package-template.ts';
import { userPackageCalls } from './package/user-package.ts';
import { staffRoles, vnoRoles } from './permission/role.ts';
import { staffCalls } from './permission/sub-account.ts';
import { dpiTaskCalls } from './traffic/dpi-task.ts';
import { flowExportCalls } from './traffic/flow-export.ts';
import { trafficCalls } from './traffic/traffic.ts';
import { aaaUserCalls } from './user/aaa-user.ts';
import { addCalls } from './user/add.ts';
import { demoCall, importCall } from './user/import-user.ts';
import { moneyCalls, quoteCalls } from './user/money.ts';
import { openingCalls } from './user/opening.ts';
import { settingCalls } from './user/setting.ts';
import { userCalls } from './user/user.ts';
import { openConfigCalls } from './user/user-account.ts';
import { userBillCalls } from './user/user-bill.ts';
import { userDetailCalls } from './user/user-detail.ts';
import { tempCardCalls } from './user/user-temp.ts';
import { vnoCalls } from './vno/vno.ts';
import { vnoAccountCalls } from './vno/vno-account.ts';
import { prefixCalls } from './vno/vno-prefix.ts';

/** Every call of the API. */
export const endpoints: readonly Endpoint[] = [
  authCalls,
  homeCalls,
  auditAuthCalls,
  auditTerminalCalls,
  auditIdentityCalls,
  auditUrlCalls,
  auditForumCalls,
  auditMailCalls,
  auditAccessLogCalls,
  auditHoldCalls,
  auditRevealCalls,
  auditEvidenceCalls,
  vnoCalls,
  vnoAccountCalls,
  vnoRoles.calls,
  prefixCalls,
  staffCalls,
  staffRoles.calls,
  authorizationCalls,
  feedbackCalls,
  announcementCalls,
  receivedAnnouncementCalls,
  payConfigCalls,
  deviceStatusNotifyCalls,
  apLinkNotificationCalls,
  mailServerCalls,
  systemStatusCalls,
  nasCalls,
  nasDetailCalls,
  tempReleaseCalls,
  dangerSiteCalls,
  payOrderCalls,
  payOrderQuote,
  packageCalls,
  offerCalls,
  extraCalls,
  applicationCalls,
  policyCalls,
  deviceCalls,
  transferCalls,
  backupCalls,
  groupCalls,
  linkStatusColorCalls,
  devicePortalCalls,
  portalCalls,
  portalSendCalls,
  liveCalls,
  deviceDetailCalls,
  remoteCalls,
  loadCalls,
  onlineUserCalls,
  videoCalls,
  deviceAccountCalls,
  configCalls,
  watchCalls,
  runCalls,
  terminalCalls,
  wizardCalls,
  gatewayAccountCalls,
  templateCalls,
  variableCalls,
  configCampaignCalls,
  compareCalls,
  exchangeCalls,
  userCalls,
  addCalls,
  userDetailCalls,
  openConfigCalls,
  openingCalls,
  { importCall, demoCall },
  tempCardCalls,
  settingCalls,
  moneyCalls,
  quoteCalls,
  userPackageCalls,
  userBillCalls,
  aaaUserCalls,
  dpiTaskCalls,
  cardRuleCalls,
  cardCalls,
  cardExportCalls,
  ...Object.values(trafficCalls),
  flowExportCalls,
  fileCalls,
  fileTaskCalls,
  firmwareCalls,
  upgradeCalls,
  campaignCalls,
  firmwareLogCalls,
  domainCalls,
  infoCalls,
  brandCalls,
  billCalls,
  collectionCalls,
  handoverCalls,
  settlementCalls,
  receiptCalls,
  billExportLogCalls,
  logCalls,
  accountSyncLogCalls,
  userAppLogCalls,
  linkLogCalls,
  apLinkLogCalls,
  wanChangeLogCalls,
  fenceStatusSendCalls,
  assignLogCalls,
  dockerCalls,
  dockerExportCalls,
  exportCalls,
].flatMap((calls): Endpoint[] => Object.values(calls));
