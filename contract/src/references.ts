/** Where a column that names another object leads; `:name` is taken from the row. Callers who may not open the page see plain text. */
export const references = {
  vno: '/vno/list?name=:agent_name',
  parentVno: '/vno/list?name=:parent_name',
  device: '/device/detail/:device_id',
  group: '/device/group?name=:group_name',
  user: '/user/detail/:user_id',
  account: '/user/list?account=:account',
  package: '/package/net?name=:package_name',
  appTemplate: '/package/app-temp?name=:application_name',
  controlTemplate: '/package/control-temp?name=:policy_name',
  file: '/file/list?name=:file_name',
  campaign: '/firmware/campaign/:campaign_id',
} as const;
