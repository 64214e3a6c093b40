/** Where a column that names another object leads; `:name` is taken from the row. Callers who may not open the page see plain text. */
export const references = {
  vno: '/vno/list?name=:agent_name',
  parentVno: '/vno/list?name=:parent_name',
  device: '/device/detail/:device_id',
  /** Of several devices, each by its own id. */
  devices: '/device/detail/:device_links',
  group: '/device/group?name=:group_name',
  user: '/user/detail/:user_id',
  account: '/user/list?account=:account',
  package: '/package/net?name=:package_name',
  /** An extra package is named a second time, because it has another list. */
  sold: ['/package/extra?name=:extra_name', '/package/net?name=:package_name'],
  /** A bill is in the list of the way it was paid; where the row does not say, at the counter. */
  bill: ['/finance/online?bill_no=:online_no', '/finance/card?bill_no=:card_no', '/finance/counter?bill_no=:bill_no'],
  appTemplate: '/package/app-temp?name=:application_name',
  controlTemplate: '/package/control-temp?name=:policy_name',
  file: '/file/list?name=:file_name',
  campaign: '/firmware/campaign/:campaign_id',
} as const;
