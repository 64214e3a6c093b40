import { authorizationManage } from './advanced/authorization.ts';
import type { Group } from './kit/resource.ts';
import { subAccountLog, systemLog } from './log/operator-log.ts';
import { extraPackage, netPackage } from './package/package.ts';
import { appTemp, controlTemp } from './package/template.ts';
import { jobRole, roleManage, vnoRole } from './permission/role.ts';
import { customerManage, jobNumber } from './permission/sub-account.ts';
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
  { key: 'packageManage', title: ['套餐管理', 'Packages'], icon: 'GiftOutlined', pages: [netPackage, extraPackage, appTemp, controlTemp] },
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
    pages: [jobNumber, authorizationManage, jobRole],
  },
  { key: 'logManage', title: ['日志管理', 'Logs'], icon: 'FileTextOutlined', pages: [systemLog, subAccountLog] },
];

export const pages = groups.flatMap((g) => g.pages);
