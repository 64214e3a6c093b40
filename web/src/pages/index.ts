import type { ComponentType } from 'react';

type Lazy = () => Promise<{ default: ComponentType }>;

/** Page key → its component, fetched when the page is first opened. */
export const pageComponents: Record<string, Lazy> = {
  vnoList: () => import('./vno/vno-list.tsx'),
  vnoAccount: () => import('./vno/vno-account.tsx'),
  vnoRole: () => import('./vno/vno-role.tsx'),
  vnoPrefix: () => import('./vno/vno-prefix.tsx'),
  vnoTopology: () => import('./vno/vno-topology.tsx'),
  customerManage: () => import('./permission/customer-manage.tsx'),
  roleManage: () => import('./permission/role-manage.tsx'),
  jobNumber: () => import('./advanced/job-number.tsx'),
  authorizationManage: () => import('./advanced/authorization-manage.tsx'),
  jobRole: () => import('./advanced/job-role.tsx'),
  netPackage: () => import('./package/net-package.tsx'),
  extraPackage: () => import('./package/extra-package.tsx'),
  appTemp: () => import('./package/app-temp.tsx'),
  controlTemp: () => import('./package/control-temp.tsx'),
  systemLog: () => import('./log/system-log.tsx'),
  subAccountLog: () => import('./log/sub-account-log.tsx'),
};
