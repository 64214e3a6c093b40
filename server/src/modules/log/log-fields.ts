import { endpoints } from '@farlink/contract/endpoints.ts';
import { callName, type Endpoint, type Module } from '@farlink/contract/kit/endpoint.ts';
import { bool, bytes, choices, type Field, type Fields, int, money, option, options, text, time } from '@farlink/contract/kit/field.ts';
import type { Page } from '@farlink/contract/kit/page.ts';
import { pages } from '@farlink/contract/pages.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';

const gatewayTitles = [...gatewayPages.values()].map(({ key, title }) => ({ id: key, label: title }));
const gatewayPageList = choices(['配置页面', 'Configuration pages'], gatewayTitles);

/** Values that only log lines have. */
const logFields: Fields = {
  campaign_id: option(['批量任务', 'Campaign'], 'campaign'),
  template: text(['模板', 'Template']),
  withdrawn: int(['撤回的设备数', 'Devices withdrawn']),
  device_count: int(['设备数', 'Devices']),
  pages: gatewayPageList,
  sections: text(['模板内容', 'Template content']),
  source: text(['来源', 'Source']),
  note: text(['说明', 'Note']),
  apply: option(['下发', 'Apply'], 'apply'),
  remote_session: option(['远程会话', 'Remote session'], 'remote'),
  bill_no: text(['账单编号', 'Bill no.']),
  rev: int(['版本', 'Revision']),
  file: text(['文件', 'File']),
  file_name: text(['文件名称', 'File name']),
  size: bytes(['文件大小', 'File size']),
  sha256: text(['SHA-256', 'SHA-256']),
  format: text(['格式', 'Format']),
  count: int(['数量', 'Count']),
  keys: int(['删除密钥数', 'Keys deleted']),
  total: int(['总数', 'Total']),
  success: int(['成功数', 'Succeeded']),
  name: text(['名称', 'Name']),
  id: option(['编号', 'ID'], 'id'),
  version: int(['版本', 'Version']),
  status: text(['状态', 'Status']),
  account: text(['账号', 'Account']),
  accounts: int(['上网账号数', 'User accounts']),
  acted_by: text(['实际操作人', 'Acted by']),
  agent_id: option(['VNO', 'VNO'], 'agent/option'),
  vno_id: option(['VNO', 'VNO'], 'agent/option'),
  customer_id: option(['账号', 'Account'], 'customer/option'),
  agent_role_id: option(['VNO角色', 'VNO role'], 'role/option'),
  license_id: option(['授权', 'Authorization'], 'license/option'),
  prefix_id: option(['账号前缀', 'Account prefix'], 'prefix/option'),
  device_ids: options(['设备', 'Devices'], 'device/option'),
  device_group_ids: options(['设备组', 'Device groups'], 'device_group/option'),
  hardware_id: text(['硬件标识', 'Hardware ID']),
  is_owner: bool(['主账号', 'Main account']),
  paid: money(['实收金额', 'Amount received']),
  refund: money(['退款金额', 'Refund']),
  discount: money(['优惠金额', 'Discount']),
  period: int(['周期数', 'Periods']),
  package: text(['模板包', 'Package']),
  certificate: text(['证书', 'Certificate']),
  create_at: time(['创建时间', 'Created at']),
  update_at: time(['更新时间', 'Updated at']),
  phone_at: time(['手机号修改时间', 'Phone changed at']),
  phone_verified_at: time(['手机号验证时间', 'Phone verified at']),
};

const fieldsOf = (e: Endpoint): Fields => ({ ...e.resource?.fields, ...e.input });

/** Declared pages with their calls: the columns of a page describe the values that its actions change. */
const pageFields = (call: Endpoint): Fields => {
  const isOf = ({ list, actions }: Page) => list === call || Object.values(actions).some((action) => action.call === call);
  const all: readonly Page[] = pages;
  return Object.assign({}, ...all.filter(isOf).map(({ resource }) => resource?.fields));
};

/** Fields that all calls of a module declare with one label. */
const moduleFields = new Map<string, Field | undefined>();
for (const e of endpoints)
  for (const [name, field] of Object.entries(fieldsOf(e))) {
    const key = `${e.module} ${name}`;
    const known = moduleFields.get(key);
    const isSame = known?.label[0] === field.label[0] && known.label[1] === field.label[1];
    moduleFields.set(key, !moduleFields.has(key) || isSame ? field : undefined);
  }

const calls = new Map(endpoints.map((e: Endpoint) => [callName(e), e] as const));

/** Finds the field of a logged value: in the call itself, on its page, among the values of log lines, or in its module. */
export const fieldFinder = (name: string): ((value: string) => Field | undefined) | undefined => {
  const call = calls.get(name);
  if (!call) return undefined;
  const own: Fields = {
    ...logFields,
    ...pageFields(call),
    ...fieldsOf(call),
    ...(call.path.includes('config') && { pages: gatewayPageList }),
  };
  return (value) => (Object.hasOwn(own, value) ? own[value] : moduleFields.get(`${call.module} ${value}`));
};

const labels = new Map(
  endpoints.flatMap((e) => Object.entries(fieldsOf(e)).map(([name, field]) => [`${e.module} ${name}`, field.label] as const)).reverse(),
);

/** Label of a line without its call: that of any call of the module. */
export const moduleLabel = (module: Module, value: string) => labels.get(`${module} ${value}`);
