import { apLinkNotice } from './advanced/ap-notify.ts';
import { authorizationManage } from './advanced/authorization.ts';
import { mailServer } from './advanced/mail-server.ts';
import { payConfig } from './advanced/pay-config.ts';
import { deviceStatusNotify } from './advanced/status-notify.ts';
import { cardAll } from './card/card.ts';
import { cardExport } from './card/card-export.ts';
import { cardManage, makeCard } from './card/card-rule.ts';
import { assignLog } from './device/assign-log.ts';
import { backupList } from './device/backup.ts';
import { deviceDetail } from './device/device-detail.ts';
import { deviceList } from './device/device-list.ts';
import { fenceStatusSend } from './device/fence-status.ts';
import { deviceGroup } from './device/group.ts';
import { linkSwitchSend } from './device/link-switch.ts';
import { remoteTerminal } from './device/remote.ts';
import { linkStatusColor } from './device/wan-color.ts';
import { fileList } from './file/file.ts';
import { fileLog } from './file/file-task.ts';
import { billCard, billCounter, billOnline } from './finance/bill.ts';
import { downloadLog } from './firmware/download-log.ts';
import { firmwareList } from './firmware/firmware.ts';
import type { Group } from './kit/resource.ts';
import { apLinkLog } from './log/ap-link-log.ts';
import { billExportLog } from './log/bill-export-log.ts';
import { dockerExportLog } from './log/docker-export-log.ts';
import { dockerLog } from './log/docker-log.ts';
import { linkLog } from './log/link-log.ts';
import { subAccountLog, systemLog } from './log/operator-log.ts';
import { userAppLog } from './log/policy-log.ts';
import { accountSyncLog } from './log/sync-log.ts';
import { wanChangeLog } from './log/wan-change.ts';
import { extraPackage, netPackage } from './package/package.ts';
import { appTemp, controlTemp } from './package/template.ts';
import { jobRole, roleManage, vnoRole } from './permission/role.ts';
import { customerManage, jobNumber } from './permission/sub-account.ts';
import { userAccount } from './user/open-config.ts';
import { userSet } from './user/setting.ts';
import { userTemp } from './user/temp-card.ts';
import { userBatch } from './user/user-batch.ts';
import { userBill } from './user/user-bill.ts';
import { userDetail } from './user/user-detail.ts';
import { userCreate, userMod } from './user/user-form.ts';
import { userList } from './user/user-list.ts';
import { userPackage } from './user/user-package.ts';
import { vnoList, vnoTopology } from './vno/vno.ts';
import { vnoAccount } from './vno/vno-account.ts';
import { vnoPrefix } from './vno/vno-prefix.ts';

/** The menu, in its order. */
export const groups: readonly Group[] = [
  {
    key: 'vnoManage',
    title: ['VNO管理', 'VNO management'],
    icon: 'ApartmentOutlined',
    pages: [vnoList, vnoAccount, vnoRole, vnoPrefix, vnoTopology],
  },
  {
    key: 'userManage',
    title: ['用户管理', 'User management'],
    icon: 'TeamOutlined',
    pages: [userList, userAccount, userBatch, userTemp, userSet, userBill, userDetail, userMod, userCreate],
  },
  {
    key: 'deviceManage',
    title: ['设备管理', 'Devices'],
    icon: 'HddOutlined',
    pages: [deviceList, deviceDetail, deviceGroup, backupList, assignLog, linkStatusColor, linkSwitchSend, fenceStatusSend, remoteTerminal],
  },
  { key: 'fileManage', title: ['文件管理', 'Files'], icon: 'FolderOpenOutlined', pages: [fileList, fileLog] },
  { key: 'firmwareManage', title: ['固件管理', 'Firmware'], icon: 'CloudUploadOutlined', pages: [firmwareList, downloadLog] },
  { key: 'financeInfo', title: ['财务信息', 'Finance'], icon: 'AccountBookOutlined', pages: [billCounter, billOnline, billCard] },
  {
    key: 'packageManage',
    title: ['套餐管理', 'Packages'],
    icon: 'GiftOutlined',
    pages: [netPackage, extraPackage, appTemp, controlTemp, userPackage],
  },
  {
    key: 'refillCard',
    title: ['充值卡管理', 'Recharge cards'],
    icon: 'CreditCardOutlined',
    pages: [cardManage, makeCard, cardAll, cardExport],
  },
  {
    key: 'permissionManage',
    title: ['权限管理', 'Permissions'],
    icon: 'SafetyCertificateOutlined',
    pages: [customerManage, roleManage],
  },
  {
    key: 'advancedSetup',
    title: ['高级设置', 'Advanced settings'],
    icon: 'SettingOutlined',
    pages: [payConfig, deviceStatusNotify, apLinkNotice, mailServer, jobNumber, authorizationManage, jobRole],
  },
  {
    key: 'logManage',
    title: ['日志管理', 'Logs'],
    icon: 'FileTextOutlined',
    pages: [
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
    ],
  },
];

export const pages = groups.flatMap((g) => g.pages);
