import type { Group } from './kit/page.ts';

/**
 * The menu in its order, with the data of every page that is needed before it is opened. A page takes its head from here, `page({
 * ...headOf('vnoList'), … })`, and its columns, forms and actions are loaded later.
 */
const menu = [
  {
    key: 'vnoManage',
    title: ['VNO管理', 'VNO management'],
    icon: 'ApartmentOutlined',
    pages: [
      {
        key: 'vnoList',
        title: ['VNO列表', 'VNO list'],
        route: '/vno/list',
        permission: 'vno_list',
        hiddenModes: [2],
        requires: 'agent_child_enable',
      },
      {
        key: 'vnoAccount',
        title: ['VNO账号', 'VNO accounts'],
        route: '/vno/account',
        permission: 'vno_account',
        hiddenModes: [2],
        requires: 'agent_child_enable',
      },
      {
        key: 'vnoRole',
        title: ['VNO角色', 'VNO roles'],
        route: '/vno/role',
        permission: 'vno_role',
        hiddenModes: [2],
        requires: 'agent_child_enable',
      },
      {
        key: 'vnoPrefix',
        title: ['账号前缀', 'Account prefixes'],
        route: '/vno/prefix',
        permission: 'vno_prefix',
        hiddenModes: [2],
        requires: 'agent_child_enable',
      },
      {
        key: 'vnoTopology',
        title: ['VNO拓扑', 'VNO topology'],
        route: '/vno/topology',
        permission: 'vno_topology',
        hiddenModes: [2],
        requires: 'agent_child_enable',
      },
    ],
  },
  {
    key: 'userManage',
    title: ['用户管理', 'User management'],
    icon: 'TeamOutlined',
    pages: [
      { key: 'userList', title: ['用户列表', 'User list'], route: '/user/list', permission: 'user_list', keepAlive: true },
      { key: 'userAccount', title: ['开户管理', 'Account opening'], route: '/user/account', permission: 'user_account', hiddenModes: [2] },
      {
        key: 'userBatch',
        title: ['批量开户', 'Batch opening'],
        route: '/user/batch',
        permission: 'user_batch',
        hiddenModes: [2],
        hidden: true,
        grantedBy: ['user_list', 'user_account'],
        needs: ['post_user/add', 'post_user/import'],
      },
      { key: 'userTemp', title: ['临时卡账号', 'Temporary card accounts'], route: '/user/temp', permission: 'user_temp', hiddenModes: [2] },
      { key: 'userSet', title: ['用户设置', 'User settings'], route: '/user/set', permission: 'user_set', hiddenModes: [2] },
      { key: 'userBill', title: ['开户账单', 'Account-opening bill'], route: '/user/bill', permission: 'user_bill', hiddenModes: [2] },
      {
        key: 'userDetail',
        title: ['用户详情', 'User details'],
        route: '/user/detail/:id',
        permission: 'user_detail',
        hidden: true,
        grantedBy: ['user_list'],
      },
      {
        key: 'userMod',
        title: ['编辑用户', 'Edit user'],
        route: '/user/mod/:id',
        permission: 'user_mod',
        hidden: true,
        grantedBy: ['user_list'],
        needs: ['put_user'],
      },
      {
        key: 'userCreate',
        title: ['用户开户', 'Open account'],
        route: '/user/create',
        permission: 'user_create',
        hiddenModes: [2],
        hidden: true,
        grantedBy: ['user_list', 'user_account'],
        needs: ['post_user/add'],
      },
    ],
  },
  {
    key: 'deviceManage',
    title: ['设备管理', 'Devices'],
    icon: 'HddOutlined',
    pages: [
      { key: 'deviceList', title: ['设备列表', 'Device list'], route: '/device/list', permission: 'device_list', keepAlive: true },
      {
        key: 'deviceDetail',
        title: ['设备详情', 'Device details'],
        route: '/device/detail/:id',
        permission: 'device_detail',
        hidden: true,
        grantedBy: ['device_list'],
      },
      {
        key: 'gatewayConfig',
        title: ['网关配置菜单', 'Gateway configuration menu'],
        route: '/device/gateway-config/:id',
        permission: 'gateway_config',
        hidden: true,
        grantedBy: ['device_list'],
      },
      { key: 'deviceGroup', title: ['设备组', 'Device groups'], route: '/device/group', permission: 'device_group' },
      { key: 'backupList', title: ['配置备份', 'Backups'], route: '/device/backup', permission: 'backup_list' },
      { key: 'assignLog', title: ['权限分配日志', 'Permission allocation log'], route: '/device/assign-log', permission: 'assign_log' },
      {
        key: 'linkStatusColor',
        title: ['链路状态颜色', 'Link status colors'],
        route: '/device/link-status-color',
        permission: 'link_status_color',
        platform: 'admin',
      },
      {
        key: 'linkSwitchSend',
        title: ['链路切换日志', 'Link switching log'],
        route: '/device/link-switch',
        permission: 'link_switch_send',
      },
      {
        key: 'fenceStatusSend',
        title: ['围栏状态日志', 'Fence status log'],
        route: '/device/fence-status',
        permission: 'fence_status_send',
      },
      {
        key: 'remoteTerminal',
        title: ['远程终端', 'Remote terminal'],
        route: '/device/terminal/:id',
        permission: 'remote_terminal',
        hidden: true,
        grantedBy: ['device_list'],
      },
      {
        key: 'configTemplate',
        title: ['配置模板', 'Config templates'],
        route: '/device/config-template',
        permission: 'config_template',
      },
      {
        key: 'configTemplateCreate',
        title: ['新增配置模板', 'New template'],
        route: '/device/config-template/new',
        permission: 'config_template_create',
        hidden: true,
        grantedBy: ['config_template'],
        needs: ['post_device/config/template'],
      },
      {
        key: 'configTemplateEdit',
        title: ['编辑配置模板', 'Edit template'],
        route: '/device/config-template/:id',
        permission: 'config_template_edit',
        hidden: true,
        grantedBy: ['config_template'],
      },
      {
        key: 'configCampaign',
        title: ['配置下发任务', 'Config campaigns'],
        route: '/device/config-campaign',
        permission: 'config_campaign',
      },
      {
        key: 'configCampaignDetail',
        title: ['配置下发任务详情', 'Campaign details'],
        route: '/device/config-campaign/:id',
        permission: 'config_campaign_detail',
        hidden: true,
        grantedBy: ['config_campaign', 'config_template', 'gateway_config'],
      },
    ],
  },
  {
    key: 'fileManage',
    title: ['文件管理', 'Files'],
    icon: 'FolderOpenOutlined',
    pages: [
      { key: 'fileList', title: ['文件列表', 'File list'], route: '/file/list', permission: 'file_list', hiddenModes: [2] },
      { key: 'fileLog', title: ['文件下发日志', 'File distribution log'], route: '/file/log', permission: 'file_task', hiddenModes: [2] },
    ],
  },
  {
    key: 'firmwareManage',
    title: ['固件管理', 'Firmware'],
    icon: 'CloudUploadOutlined',
    pages: [
      { key: 'firmwareList', title: ['固件列表', 'Firmware list'], route: '/firmware/list', permission: 'firmware_list', hiddenModes: [2] },
      {
        key: 'firmwareCampaign',
        title: ['升级任务', 'Upgrade campaigns'],
        route: '/firmware/campaign',
        permission: 'firmware_campaign',
        hidden: true,
        grantedBy: ['firmware_list', 'device_list'],
      },
      {
        key: 'firmwareCampaignDetail',
        title: ['升级任务详情', 'Campaign details'],
        route: '/firmware/campaign/:id',
        permission: 'firmware_campaign_detail',
        hidden: true,
        grantedBy: ['firmware_list', 'device_list'],
      },
      {
        key: 'downloadLog',
        title: ['固件下载日志', 'Firmware download log'],
        route: '/firmware/download-log',
        permission: 'download_log',
        hiddenModes: [2],
      },
    ],
  },
  {
    key: 'financeInfo',
    title: ['财务信息', 'Finance'],
    icon: 'AccountBookOutlined',
    pages: [
      { key: 'billCounter', title: ['柜台账单', 'Counter bills'], route: '/finance/counter', permission: 'bill_counter', hiddenModes: [2] },
      { key: 'billOnline', title: ['在线账单', 'Online bills'], route: '/finance/online', permission: 'bill_online', hiddenModes: [2] },
      { key: 'billCard', title: ['充值卡账单', 'Card bills'], route: '/finance/card', permission: 'bill_card', hiddenModes: [2] },
    ],
  },
  {
    key: 'packageManage',
    title: ['套餐管理', 'Packages'],
    icon: 'GiftOutlined',
    pages: [
      { key: 'netPackage', title: ['上网套餐', 'Online packages'], route: '/package/net', permission: 'net_package', hiddenModes: [2] },
      { key: 'extraPackage', title: ['加油包', 'Extra packages'], route: '/package/extra', permission: 'extra_package', hiddenModes: [2] },
      {
        key: 'appTemp',
        title: ['应用模板', 'Application templates'],
        route: '/package/app-temp',
        permission: 'app_temp',
        hiddenModes: [2],
      },
      {
        key: 'controlTemp',
        title: ['信控模板', 'Credit control templates'],
        route: '/package/control-temp',
        permission: 'control_temp',
        hiddenModes: [2],
      },
      { key: 'userPackage', title: ['用户套餐', 'User packages'], route: '/package/user', permission: 'user_package', hiddenModes: [2] },
    ],
  },
  {
    key: 'refillCard',
    title: ['充值卡管理', 'Recharge cards'],
    icon: 'CreditCardOutlined',
    pages: [
      { key: 'cardManage', title: ['制卡管理', 'Card batches'], route: '/card/manage', permission: 'card_manage', hiddenModes: [2] },
      {
        key: 'makeCard',
        title: ['制卡', 'Make cards'],
        route: '/card/make',
        permission: 'make_card',
        hiddenModes: [2],
        hidden: true,
        grantedBy: ['card_manage'],
        needs: ['post_recharge_card_rule'],
      },
      { key: 'cardAll', title: ['充值卡列表', 'All cards'], route: '/card/all', permission: 'card_all', hiddenModes: [2] },
      {
        key: 'cardExport',
        title: ['充值卡导出日志', 'Card export log'],
        route: '/card/export',
        permission: 'card_export',
        hiddenModes: [2],
      },
    ],
  },
  {
    key: 'permissionManage',
    title: ['权限管理', 'Permissions'],
    icon: 'SafetyCertificateOutlined',
    pages: [
      {
        key: 'customerManage',
        title: ['子账号管理', 'Sub-accounts'],
        route: '/permission/customer',
        permission: 'customer_manage',
        hiddenModes: [2],
      },
      { key: 'roleManage', title: ['角色管理', 'Roles'], route: '/permission/role', permission: 'role_manage', hiddenModes: [2] },
    ],
  },
  {
    key: 'advancedSetup',
    title: ['高级设置', 'Advanced settings'],
    icon: 'SettingOutlined',
    pages: [
      {
        key: 'payConfig',
        title: ['支付配置', 'Payment configuration'],
        route: '/advanced/pay',
        permission: 'pay_config',
        hiddenModes: [2],
      },
      {
        key: 'deviceStatusNotify',
        title: ['设备状态通知', 'Device status notification'],
        route: '/advanced/device-status-notify',
        permission: 'device_status_notify',
      },
      {
        key: 'apLinkNotice',
        title: ['AP链路通知', 'AP link notification'],
        route: '/advanced/ap-link-notice',
        permission: 'ap_link_notice',
      },
      { key: 'mailServer', title: ['邮件服务器', 'Mail server'], route: '/advanced/mail-server', permission: 'mail_server' },
      { key: 'jobNumber', title: ['工号管理', 'Job numbers'], route: '/advanced/job-number', permission: 'job_number' },
      {
        key: 'authorizationManage',
        title: ['授权管理', 'Authorizations'],
        route: '/advanced/authorization',
        permission: 'authorization_manage',
        platform: 'vno',
      },
      { key: 'jobRole', title: ['工号角色', 'Job number roles'], route: '/advanced/job-role', permission: 'job_role' },
    ],
  },
  {
    key: 'logManage',
    title: ['日志管理', 'Logs'],
    icon: 'FileTextOutlined',
    pages: [
      { key: 'systemLog', title: ['操作日志', 'Operator log'], route: '/log/system', permission: 'system_log' },
      {
        key: 'subAccountLog',
        title: ['下级VNO日志', 'Lower-level VNO log'],
        route: '/log/sub-account',
        permission: 'sub_account_log',
        requires: 'agent_child_enable',
      },
      { key: 'linkLog', title: ['设备链路日志', 'Device link log'], route: '/log/link', permission: 'link_log' },
      { key: 'apLinkLog', title: ['AP链路日志', 'AP link log'], route: '/log/ap-link', permission: 'ap_link_log' },
      { key: 'wanChangeLog', title: ['WAN切换日志', 'WAN switching log'], route: '/log/wan-change', permission: 'wan_change_log' },
      {
        key: 'billExportLog',
        title: ['账单导出日志', 'Bill export log'],
        route: '/log/bill-export',
        permission: 'bill_export_log',
        hiddenModes: [2],
      },
      { key: 'accountSyncLog', title: ['账号同步日志', 'Account sync log'], route: '/log/account-sync', permission: 'account_sync_log' },
      { key: 'userAppLog', title: ['用户策略日志', 'User policy log'], route: '/log/user-app', permission: 'user_app_log' },
      { key: 'dockerLog', title: ['Docker日志', 'Docker log'], route: '/log/docker', permission: 'docker_log' },
      {
        key: 'dockerExportLog',
        title: ['Docker导出日志', 'Docker export log'],
        route: '/log/docker-export',
        permission: 'docker_export_log',
      },
    ],
  },
] as const satisfies readonly Group[];

/** Compile-time types of the menu: a page without a head, or a head without a page, does not compile. */
type Entry = (typeof menu)[number]['pages'][number];
export type PageKey = Entry['key'];

export const groups: readonly Group[] = menu;
export const heads: readonly Entry[] = menu.flatMap((g): readonly Entry[] => g.pages);

export const headOf = <const K extends PageKey>(key: K): Extract<Entry, { readonly key: K }> => {
  const head = heads.find((h): h is Extract<Entry, { readonly key: K }> => h.key === key);
  if (!head) throw new Error(`no page ${key} in the menu`);
  return head;
};
