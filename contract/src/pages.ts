import { noticeManage } from './advanced/announcement.ts';
import { apLinkNotice } from './advanced/ap-link-notification.ts';
import { authorizationManage } from './advanced/authorization.ts';
import { dangerSite } from './advanced/danger-site.ts';
import { deviceStatusNotify } from './advanced/device-status-notify.ts';
import { mailServer } from './advanced/mail-server.ts';
import { nasManage } from './advanced/nas.ts';
import { nasDetail } from './advanced/nas-detail.ts';
import { payConfig } from './advanced/pay-config.ts';
import { systemStatus } from './advanced/system-status.ts';
import { tempRelease } from './advanced/temp-release.ts';
import { auditLook } from './audit/audit-access-log.ts';
import { auditEvidence } from './audit/audit-evidence.ts';
import { auditHold } from './audit/audit-hold.ts';
import { auditReveal } from './audit/audit-reveal.ts';
import { authAccount, terminalAcquisition } from './audit/auth-account.ts';
import { electronicMail } from './audit/electronic-mail.ts';
import { networkForum } from './audit/network-forum.ts';
import { networkURL } from './audit/network-url.ts';
import { virtualIdentity } from './audit/virtual-identity.ts';
import { cardAll } from './card/card.ts';
import { cardExport } from './card/card-export.ts';
import { cardManage, makeCard } from './card/card-rule.ts';
import { configCampaign, configCampaignDetail } from './config/campaign.ts';
import { configTemplate, configTemplateCreate, configTemplateEdit } from './config/config-template.ts';
import { gatewayConfig } from './config/gateway-config.ts';
import { assignLog } from './device/assign-log.ts';
import { backupList } from './device/backup.ts';
import { deviceDetail } from './device/device-detail.ts';
import { deviceList } from './device/device-list.ts';
import { fenceStatusSend } from './device/fence-status-send.ts';
import { deviceGroup } from './device/group.ts';
import { linkStatusColor } from './device/link-status-color.ts';
import { linkSwitchSend } from './device/link-switch-send.ts';
import { remoteTerminal } from './device/remote.ts';
import { feedbackList } from './feedback/feedback.ts';
import { fileList } from './file/file.ts';
import { fileLog } from './file/file-log.ts';
import { billCard, billCounter, billOnline } from './finance/bill.ts';
import { collectionDay } from './finance/collection.ts';
import { cashHandover } from './finance/handover.ts';
import { settlementPage as settlement } from './finance/settlement.ts';
import { firmwareCampaign, firmwareCampaignDetail } from './firmware/campaign.ts';
import { downloadLog } from './firmware/download-log.ts';
import { firmwareList } from './firmware/firmware.ts';
import { homeDashboard } from './home/home.ts';
import type { Page } from './kit/page.ts';
import { accountSyncLog } from './log/account-sync-log.ts';
import { apLinkLog } from './log/ap-link-log.ts';
import { billExportLog } from './log/bill-export-log.ts';
import { dockerExportLog } from './log/docker-export-log.ts';
import { dockerLog } from './log/docker-log.ts';
import { linkLog } from './log/link-log.ts';
import { subAccountLog, systemLog } from './log/operator-log.ts';
import { userAppLog } from './log/user-app-log.ts';
import { wanChangeLog } from './log/wan-change-log.ts';
import { advertEdit, advertTemp } from './market/advert-pages.ts';
import { domainSetup } from './market/domain.ts';
import { infoSetup } from './market/info-setup.ts';
import { heads, type PageKey } from './menu.ts';
import { extraPackage } from './package/extra-package.ts';
import { netPackage } from './package/package.ts';
import { appTemp, controlTemp } from './package/package-template.ts';
import { userPackage } from './package/user-package.ts';
import { jobRole, roleManage, vnoRole } from './permission/role.ts';
import { customerManage, jobNumber } from './permission/sub-account.ts';
import { dpiSend } from './traffic/dpi-task.ts';
import { flowExport } from './traffic/flow-export.ts';
import { businessDpi, businessFlow, manageDpi, manageFlow } from './traffic/traffic.ts';
import { aaaUserLog, aaaUserOnline } from './user/aaa-user.ts';
import { userSet } from './user/setting.ts';
import { userAccount } from './user/user-account.ts';
import { userBatch } from './user/user-batch.ts';
import { userBill } from './user/user-bill.ts';
import { userDetail } from './user/user-detail.ts';
import { userCreate, userMod } from './user/user-form.ts';
import { userList } from './user/user-list.ts';
import { userTemp } from './user/user-temp.ts';
import { vnoList, vnoTopology } from './vno/vno.ts';
import { vnoAccount } from './vno/vno-account.ts';
import { vnoPrefix } from './vno/vno-prefix.ts';

/** Every page under the key of its head in the menu; a missing or extra page does not compile. */
const whole: { readonly [K in PageKey]: Page & { readonly key: K } } = {
  homeDashboard,
  vnoList,
  vnoAccount,
  vnoRole,
  vnoPrefix,
  vnoTopology,
  userList,
  userAccount,
  userBatch,
  userTemp,
  userSet,
  userBill,
  aaaUserOnline,
  aaaUserLog,
  userDetail,
  userMod,
  userCreate,
  deviceList,
  deviceDetail,
  gatewayConfig,
  deviceGroup,
  backupList,
  assignLog,
  linkStatusColor,
  linkSwitchSend,
  fenceStatusSend,
  remoteTerminal,
  configTemplate,
  configTemplateCreate,
  configTemplateEdit,
  configCampaign,
  configCampaignDetail,
  fileList,
  fileLog,
  firmwareList,
  firmwareCampaign,
  firmwareCampaignDetail,
  downloadLog,
  domainSetup,
  infoSetup,
  advertTemp,
  advertEdit,
  billCounter,
  billOnline,
  billCard,
  settlement,
  collectionDay,
  cashHandover,
  netPackage,
  extraPackage,
  appTemp,
  controlTemp,
  userPackage,
  businessFlow,
  manageFlow,
  businessDpi,
  manageDpi,
  dpiSend,
  flowExport,
  cardManage,
  makeCard,
  cardAll,
  cardExport,
  authAccount,
  virtualIdentity,
  networkURL,
  networkForum,
  electronicMail,
  terminalAcquisition,
  auditLook,
  auditHold,
  auditEvidence,
  auditReveal,
  customerManage,
  roleManage,
  feedbackList,
  noticeManage,
  payConfig,
  deviceStatusNotify,
  apLinkNotice,
  mailServer,
  tempRelease,
  dangerSite,
  nasManage,
  nasDetail,
  jobNumber,
  authorizationManage,
  jobRole,
  systemStatus,
  systemLog,
  subAccountLog,
  linkLog,
  apLinkLog,
  wanChangeLog,
  billExportLog,
  accountSyncLog,
  userAppLog,
  dockerLog,
  dockerExportLog,
};

export const pages: readonly Page[] = heads.map(({ key }) => whole[key]);
