/** Routes of columns that refer to another object; `:name` is taken from the row. Callers without access to the page see plain text. */
export const references = {
  vno: '/vno/list?name=:agent_name',
  parentVno: '/vno/list?name=:parent_name',
  device: '/device/detail/:device_id',
  /** Several devices, each with its own id. */
  devices: '/device/detail/:device_links',
  group: '/device/group?name=:group_name',
  user: '/user/detail/:user_id',
  account: '/user/list?account=:account',
  package: '/package/net?name=:package_name',
  /** An extra package has a second name column, because it is in another list. */
  sold: ['/package/extra?name=:extra_name', '/package/net?name=:package_name'],
  /** A bill is in the list of its payment method; the default is the counter list. */
  bill: ['/finance/online?bill_no=:online_no', '/finance/card?bill_no=:card_no', '/finance/counter?bill_no=:bill_no'],
  appTemplate: '/package/app-temp?name=:application_name',
  controlTemplate: '/package/control-temp?name=:policy_name',
  file: '/file/list?name=:file_name',
  campaign: '/firmware/campaign/:campaign_id',
} as const;
