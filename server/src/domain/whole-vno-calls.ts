import { announcementCalls } from '@farlink/contract/advanced/announcement.ts';
import { authorizationCalls } from '@farlink/contract/advanced/authorization.ts';
import { mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import { nasCalls } from '@farlink/contract/advanced/nas.ts';
import { payConfigCalls } from '@farlink/contract/advanced/pay-config.ts';
import { auditEvidenceCalls } from '@farlink/contract/audit/audit-evidence.ts';
import { auditHoldCalls } from '@farlink/contract/audit/audit-hold.ts';
import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { linkStatusColorCalls } from '@farlink/contract/device/link-status-color.ts';
import { fileCalls } from '@farlink/contract/file/file.ts';
import { firmwareCalls } from '@farlink/contract/firmware/firmware.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { domainCalls } from '@farlink/contract/market/domain.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { vnoRoles } from '@farlink/contract/permission/role.ts';
import { settingCalls } from '@farlink/contract/user/setting.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';

/** Calls that change what all devices of a VNO or of the platform share. A role limited to devices gets at most "show only" for them. */
export const wholeVnoCalls = [
  ...[vnoCalls.create, vnoCalls.update, vnoCalls.remove, vnoCalls.login, vnoCalls.devicePwd, vnoCalls.authorize],
  ...[vnoAccountCalls.create, vnoAccountCalls.update, vnoAccountCalls.remove, prefixCalls.create, prefixCalls.remove],
  ...[vnoRoles.calls.create, vnoRoles.calls.update, vnoRoles.calls.remove, authorizationCalls.activate],
  ...[infoCalls.save, infoCalls.agentLogo, infoCalls.deviceLogo, infoCalls.removeAgentLogo, infoCalls.removeDeviceLogo],
  ...[domainCalls.update, domainCalls.check, payConfigCalls.save, mailServerCalls.save, mailServerCalls.test],
  ...[settingCalls.update, settingCalls.updateOne, openConfigCalls.update, linkStatusColorCalls.update],
  ...[announcementCalls.create, announcementCalls.update, announcementCalls.send, announcementCalls.remove, nasCalls.create],
  ...[applicationCalls.create, applicationCalls.update, applicationCalls.remove],
  ...[policyCalls.create, policyCalls.update, policyCalls.remove],
  ...[templateCalls.create, templateCalls.update, templateCalls.enable, templateCalls.remove],
  ...[portalCalls.create, portalCalls.update, portalCalls.remove, portalCalls.setDefault, portalCalls.revert],
  ...[portalCalls.draft, portalCalls.discardDraft, portalCalls.upload, portalCalls.uploadTemplate, portalCalls.removeTemplate],
  ...[fileCalls.update, fileCalls.remove, firmwareCalls.create, firmwareCalls.update, firmwareCalls.remove],
  ...[auditHoldCalls.release, auditEvidenceCalls.fork],
] as const;

export const wholeVnoKeys: ReadonlySet<string> = new Set(wholeVnoCalls.map(operateKey));
