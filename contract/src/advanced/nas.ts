import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, int, link, longText, option, password, pick, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import type { Rule } from '../kit/rule.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { routerFields } from './router-login.ts';

const nasKind = [
  { id: 'gateway', label: ['网关', 'Gateway'], color: 'blue' },
  { id: 'foreign', label: ['第三方NAS', 'Other NAS'], color: 'default' },
] as const;

const transport = [
  { id: 'udp', label: ['UDP', 'UDP'], color: 'default' },
  { id: 'radsec', label: ['RadSec（TLS）', 'RadSec (TLS)'], color: 'green' },
] as const;

const vendor = [
  { id: 'standard', label: ['标准（WISPr）', 'Standard (WISPr)'] },
  { id: 'mikrotik', label: ['MikroTik', 'MikroTik'] },
  { id: 'chillispot', label: ['CoovaChilli', 'CoovaChilli'] },
  { id: 'cisco', label: ['思科无线控制器', 'Cisco wireless controller'] },
  { id: 'huawei', label: ['华为', 'Huawei'] },
  { id: 'aruba', label: ['Aruba/HPE', 'Aruba/HPE'] },
  { id: 'ruckus', label: ['Ruckus', 'Ruckus'] },
] as const;
export type NasVendor = (typeof vendor)[number]['id'];

const language = [
  { id: 'zh', label: ['中文', 'Chinese'] },
  { id: 'en', label: ['英文', 'English'] },
] as const;

/** Whether the NAS signs its requests, as far as received requests show. */
const signing = [
  { id: 'signed', label: ['已签名', 'Signed'], color: 'green' },
  { id: 'mixed', label: ['部分未签名', 'Partly unsigned'], color: 'orange' },
  { id: 'unsigned', label: ['未签名', 'Unsigned'], color: 'red' },
  { id: 'none', label: ['未见请求', 'No requests yet'], color: 'default' },
] as const;

const identifierRule: Rule = {
  name: 'nas_identifier',
  text: ['1-64位字母、数字或 . _ : -', '1-64 letters, digits or . _ : -'],
  test: (value) => /^[\w.:-]{1,64}$/.test(String(value)),
};
const secretRule: Rule = {
  name: 'nas_secret',
  text: ['16-64个可见字符', '16-64 visible characters'],
  test: (value) => /^[\x21-\x7e]{16,64}$/.test(String(value)),
};
const fields = {
  name: link(['名称', 'Name'], {
    required: true,
    rules: [rules.no_edge_space, rules.no_quotes],
    max: 64,
    sort: true,
    match: 'name',
    tooltip: true,
    width: 160,
  }),
  identifier: text(['NAS标识', 'NAS identifier'], {
    required: true,
    rules: [identifierRule],
    max: 64,
    sort: true,
    match: 'code',
    mono: true,
    width: 160,
    tips: [
      '与NAS发送的NAS-Identifier一致；识别不依赖IP地址',
      'The NAS-Identifier that the NAS sends. The IP address does not identify a NAS.',
    ],
  }),
  kind: choice(['类型', 'Kind'], nasKind, { width: 110 }),
  transport: choice(['传输方式', 'Transport'], transport, { required: true, default: 'udp', width: 130 }),
  addr: text(['NAS地址', 'NAS address'], {
    rules: [rules.ipv4],
    mono: true,
    width: 130,
    tips: ['用于没有标识的请求和UDP强制下线，可不填', 'For requests without an identifier, and for kicks over UDP. Optional.'],
  }),
  secret: password(['共享密钥', 'Shared secret'], {
    rules: [secretRule],
    max: 64,
    blank: true,
    tips: ['留空则自动生成，之后可查看', 'Generated if empty; it can be shown later'],
  }),
  shared_secret: text(['共享密钥', 'Shared secret'], { mask: true, mono: true, hiddenByDefault: true, width: 190 }),
  psk_identity: text(['PSK标识', 'PSK identity'], {
    mono: true,
    hiddenByDefault: true,
    width: 180,
    tips: ['RadSec使用PSK时的标识，密钥即共享密钥', 'Identity for RadSec with PSK; the key is the shared secret'],
  }),
  require_ma: bool(['要求消息认证', 'Require Message-Authenticator'], {
    default: true,
    hiddenByDefault: true,
    tips: [
      '关闭后易受BlastRADIUS攻击，仅用于无法签名的旧设备',
      'Without it, BlastRADIUS attacks are possible. Turn it off only for old NAS that cannot sign.',
    ],
  }),
  signing: choice(['消息认证状态', 'Message-Authenticator'], signing, { width: 160 }),
  chap: bool(['允许CHAP', 'Allow CHAP'], { default: false, hiddenByDefault: true }),
  mschap: bool(['允许MS-CHAPv2', 'Allow MS-CHAPv2'], { default: false, hiddenByDefault: true }),
  vendor: choice(['厂商属性', 'Vendor attributes'], vendor, { required: true, default: 'standard', hiddenByDefault: true }),
  no_gigawords: bool(['不支持64位计数', 'No 64-bit counters'], {
    default: false,
    hiddenByDefault: true,
    tips: ['NAS不发送Gigawords属性，由平台识别计数器回绕', 'The NAS sends no Gigawords; wraps of its counters are detected'],
  }),
  end_refused: bool(['变更被拒时下线', 'End on a refused change'], {
    default: true,
    hiddenByDefault: true,
    tips: [
      'NAS多次拒绝新的速率或流量上限时，结束该会话，用户重新登录后按新套餐上网',
      'If the NAS keeps refusing new limits, the session is ended. The user logs in again with the new service.',
    ],
  }),
  not_enforced: int(['未执行会话', 'Limits not in effect'], {
    width: 130,
    tips: ['NAS没有执行最新速率或流量上限的在线会话数', 'Open sessions whose latest limits the NAS has not applied'],
  }),
  is_proxy: bool(['受信任的代理', 'Trusted proxy'], {
    default: false,
    hiddenByDefault: true,
    tips: [
      '代理转发的请求按其中的NAS标识（或“运营商:标识”、NAS地址）归到本VNO的其他NAS；找不到时归到代理',
      'Forwarded requests belong to the NAS of this VNO that they name (identifier, operator:identifier or NAS address), else to the proxy',
    ],
  }),
  via_name: text(['经由代理', 'Through proxy'], { tooltip: true, hiddenByDefault: true, width: 140 }),
  interval_s: int(['计费上报间隔', 'Accounting interval'], {
    required: true,
    default: 300,
    unit: 's',
    rules: [rules.number_range(60, 86_400)],
    hiddenByDefault: true,
  }),
  coa_port: int(['CoA端口', 'CoA port'], { required: true, default: 3799, rules: [rules.port], hiddenByDefault: true }),
  language: choice(['提示语言', 'Language of messages'], language, { required: true, default: 'zh', hiddenByDefault: true }),
  site_device_id: option(['所在设备', 'Site device'], 'device/option', {
    tips: ['填写后，仅绑定到该设备或其设备组的账号可以登录', 'If set, only accounts bound to this device or its group can log in'],
  }),
  last_at: time(['最近请求', 'Last request'], { sort: true }),
  login_seen_at: time(['最近登录请求', 'Last login'], { sort: true, hiddenByDefault: true }),
  accounting_seen_at: time(['最近计费请求', 'Last accounting'], { sort: true, hiddenByDefault: true }),
  class_returned: bool(['回传Class', 'Class returned'], {
    hiddenByDefault: true,
    width: 110,
    tips: ['NAS的计费请求是否带回登录应答中的Class', 'Whether the accounting of the NAS repeats the Class of the Accept'],
  }),
  clock_offset_s: int(['时钟偏差', 'Clock offset'], {
    unit: 's',
    hiddenByDefault: true,
    width: 110,
    tips: ['NAS的时间减去平台的时间', 'Time of the NAS minus time of the platform'],
  }),
  last_addr: text(['来源地址', 'Source address'], { mono: true, hiddenByDefault: true, width: 130 }),
  wrong_secret: int(['密钥错误', 'Wrong secret'], { sort: true, width: 110 }),
  duplicates: int(['重复请求', 'Duplicates'], { sort: true, width: 110 }),
  drops: int(['丢弃', 'Dropped'], { sort: true, width: 100 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 150, to: references.vno }),
  ...routerFields,
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512], max: 512, tooltip: true, hiddenByDefault: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true, hiddenByDefault: true }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option', { required: true }),
};

export const nasResource = resource({
  fields,
  title: ['name', 'agent_name'],
  columns: [
    'name',
    'identifier',
    'kind',
    'transport',
    'addr',
    'signing',
    'last_at',
    'last_addr',
    'wrong_secret',
    'duplicates',
    'drops',
    'not_enforced',
    'login_seen_at',
    'accounting_seen_at',
    'class_returned',
    'clock_offset_s',
    'agent_name',
    'shared_secret',
    'psk_identity',
    'require_ma',
    'chap',
    'mschap',
    'vendor',
    'no_gigawords',
    'end_refused',
    'is_proxy',
    'via_name',
    'interval_s',
    'coa_port',
    'language',
    'login_protocol',
    'has_uam_secret',
    'router_hosts',
    'remark',
    'create_at',
  ],
  filters: ['name', 'identifier', 'kind', 'transport', 'signing', 'addr', 'last_at', 'vno_id'],
  orderby: 'create_at desc',
});

const settings = pick(
  fields,
  'name',
  'identifier',
  'transport',
  'addr',
  'site_device_id',
  'vendor',
  'require_ma',
  'chap',
  'mschap',
  'no_gigawords',
  'end_refused',
  'is_proxy',
  'interval_s',
  'coa_port',
  'language',
  'login_protocol',
  'uam_secret',
  'router_hosts',
  'remark',
);
const createInput = { vno_id: fields.vno_id, ...settings, secret: fields.secret };

export const nasCalls = calls('advanced', ['nas_manage', 'nas_detail'], {
  list: { kind: 'list', path: 'nas', summary: ['查询NAS', 'List NAS'], resource: nasResource },
  create: { kind: 'create', path: 'nas', summary: ['新增NAS', 'Create a NAS'], input: createInput, output: idOutput },
  update: { kind: 'update', path: 'nas/{id}', summary: ['修改NAS', 'Change a NAS'], input: settings, versioned: true },
  remove: { kind: 'delete', path: 'nas/{id}', summary: ['删除NAS', 'Delete a NAS'] },
  rotate: { kind: 'command', path: 'nas/{id}/rotate', summary: ['更换NAS密钥', 'Rotate the secret of a NAS'], shape: shape<null>() },
  reveal: {
    kind: 'command',
    path: 'nas/{id}/reveal',
    summary: ['查看NAS密钥', 'Show the secret of a NAS'],
    shape: shape<{ readonly value: string }>(),
  },
});

const isForeign = (row: AnyRow) => row.kind === 'foreign';

export const nasManage = page({
  ...headOf('nasManage'),
  resource: nasResource,
  list: nasCalls.list,
  emptyHint: [
    '新增NAS后，可用其上的RADIUS认证用户。开启RADIUS认证的网关会自动出现在这里。',
    'Add a NAS to authenticate users by RADIUS. Gateways with RADIUS appear here by themselves.',
  ],
  reveal: nasCalls.reveal,
  forms: { create: form(['新增NAS', 'New NAS'], createInput, 720), edit: form(['编辑NAS', 'Edit NAS'], settings, 720) },
  actions: {
    detail: { on: 'row', label: ['详情', 'Details'], to: '/advanced/nas/:id' },
    create: { on: 'toolbar', label: ['新增NAS', 'New NAS'], call: nasCalls.create, form: 'create' },
    edit: {
      on: 'row',
      label: ['编辑', 'Edit'],
      call: nasCalls.update,
      form: 'edit',
      when: isForeign,
      why: ['网关的NAS由系统维护', 'The NAS of a gateway is maintained by the system'],
    },
    rotate: {
      on: 'row',
      label: ['更换密钥', 'Rotate secret'],
      call: nasCalls.rotate,
      confirm: [
        '旧密钥立即失效，须在NAS上填写新密钥；网关会自动收到。确定更换吗？',
        'The old secret stops working at once. Enter the new one on the NAS; a gateway receives it by itself. Rotate?',
      ],
    },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: nasCalls.remove,
      danger: true,
      confirm: ['删除后该NAS的用户无法登录。确定删除吗？', 'Users of this NAS can no longer log in. Delete it?'],
      when: isForeign,
      why: ['网关的NAS由系统维护', 'The NAS of a gateway is maintained by the system'],
    },
  },
});
