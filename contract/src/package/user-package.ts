import { calls } from '../kit/endpoint.ts';
import { bytes, choice, duration, int, link, option, progress, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { holdingStatus } from '../user/choices.ts';
import { moneyActions, moneyForms } from '../user/money.ts';
import { packageType } from './choices.ts';

const fields = {
  account: link(['上网账号', 'Online account'], { sort: true, tooltip: true }),
  name: text(['姓名', 'Full name']),
  package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 200, to: references.sold }),
  package_kind: text(['套餐类别', 'Kind'], { tips: ['上网套餐或加油包', 'Online or extra package'], hiddenByDefault: true }),
  package_type: choice(['套餐类型', 'Package type'], packageType),
  package_status: choice(['套餐状态', 'Package status'], holdingStatus),
  period: text(['期次', 'Period'], {
    tips: [
      '一次购买多期时为第几期；用户详情中未开始的各期合并为一行',
      'Of a package bought for several periods. The details of a user show periods that have not begun as one row.',
    ],
    width: 120,
  }),
  capacity: text(['套餐总量', 'Capacity']),
  used_flow: bytes(['已用流量', 'Used flow']),
  used_time: duration(['已用时长', 'Used time'], { hiddenByDefault: true }),
  usage: progress(['使用进度', 'Usage'], {
    tips: [
      '流量与时长中已用比例较大的一项；周期套餐为本周期',
      'The higher usage of flow and time; for periodic packages, of the current cycle',
    ],
  }),
  priority: int(['优先级', 'Priority'], {
    hiddenByDefault: true,
    tips: ['数字越小优先级越高，优先使用', 'A lower number is used first'],
  }),
  start_at: time(['生效时间', 'Valid from'], { sort: true }),
  expire_at: time(['到期时间', 'Valid until'], { sort: true }),
  device_name: text(['设备名称', 'Device'], { tooltip: true, hiddenByDefault: true, to: references.device }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  create_at: time(['订购时间', 'Bought at'], { sort: true, hiddenByDefault: true }),
  user_id: option(['用户', 'User'], 'user/option'),
  package_id: option(['套餐', 'Package'], 'package/option'),
  device_id: option(['设备', 'Device'], 'device/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const holdingResource = resource({
  fields,
  title: ['account', 'package_name'],
  columns: [
    'account',
    'name',
    'package_name',
    'package_kind',
    'package_type',
    'package_status',
    'period',
    'capacity',
    'used_flow',
    'used_time',
    'usage',
    'priority',
    'start_at',
    'expire_at',
    'device_name',
    'agent_name',
    'create_at',
  ],
  filters: ['user_id', 'package_id', 'package_status', 'package_type', 'expire_at', 'device_id', 'vno_id', 'start_at'],
  orderby: 'create_at desc',
});

export const userPackageCalls = calls('user', ['user_package', 'user_list', 'user_detail'], {
  list: { kind: 'list', path: 'user/package', summary: ['查询用户套餐', 'List user packages'], resource: holdingResource },
});

/** The rows are packages of users; the actions apply to the users. */
export const userPackage = page({
  ...headOf('userPackage'),
  resource: holdingResource,
  list: userPackageCalls.list,
  forms: { changePackage: moneyForms.changePackage, addPackage: moneyForms.addPackage },
  actions: {
    changePackage: { ...moneyActions.changePackage, on: 'batch' },
    detail: { on: 'row', label: ['用户详情', 'User details'], to: '/user/detail/:user_id' },
    addPackage: { ...moneyActions.addPackage, on: 'row' },
  },
});
