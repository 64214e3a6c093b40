import { agentMode } from '../choices.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, int, link, longText, option, password, pick, text, time, variant } from '../kit/field.ts';
import { lookupPage, subjectInput } from '../kit/lookup.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { phoneColumn } from '../phone.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

const fields = {
  name: link(['VNO名称', 'VNO name'], {
    required: true,
    rules: [rules.text_cn_128, rules.no_quotes],
    sort: true,
    tooltip: true,
    width: 200,
  }),
  username: text(['登录账号', 'Username'], { required: true, rules: [rules.login_account], max: 32, sort: true }),
  code: text(['商户码', 'Merchant code'], { rules: [rules.alnum_128], tips: ['留空由系统生成', 'Generated when left empty'], mono: true }),
  third_id: text(['第三方ID', 'Third-party ID'], { rules: [rules.word_128], hiddenByDefault: true, mono: true }),
  parent_name: text(['上级VNO', 'Parent VNO'], { tooltip: true, width: 160, to: references.parentVno }),
  agent_level: int(['层级', 'Level'], { sort: true, hiddenByDefault: true }),
  contacts: text(['联系人', 'Contact'], { required: true, rules: [rules.person_name] }),
  phone: text(['联系电话', 'Phone'], { required: true, rules: [rules.phone], ...phoneColumn }),
  email: text(['邮箱', 'Email'], { rules: [rules.email], noTruncate: true, hiddenByDefault: true, width: 190 }),
  device_count: int(['设备数', 'Devices'], { sort: true }),
  card_count: int(['充值卡数', 'Cards'], { sort: true }),
  account_prefix: text(['账号前缀', 'Account prefix'], { hiddenByDefault: true }),
  agent_mode: choice(['运营模式', 'Agent mode'], agentMode, { required: true, default: 1, hiddenByDefault: true }),
  agent_child_enable: bool(['可发展下级', 'May have children'], { default: false, hiddenByDefault: true }),
  enrol_auto: bool(['新设备自动审批', 'Approve new devices automatically'], {
    default: false,
    hiddenByDefault: true,
    tips: [
      '关闭时，使用该商户码的新设备须在设备列表中审批后才能接入',
      'When off, new devices with this merchant code wait for approval in the device list',
    ],
  }),
  introduction: longText(['简介', 'Introduction'], { rules: [rules.free_512], tooltip: true, hiddenByDefault: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
  parent_id: option(['上级VNO', 'Parent VNO'], 'agent/topology', {
    required: true,
    tips: ['当前VNO在拓扑中不可选', 'The current VNO cannot be selected in the topology'],
  }),
  role_id: option(['VNO角色', 'VNO role'], 'agent/role/option', {
    required: true,
    lookupBy: ['parent_id'],
    lookupParams: { assignable: true },
  }),
  password: password(['登录密码', 'Password'], { required: true, rules: [rules.password_rule] }),
};

export const vno = resource({
  fields,
  title: ['name', 'parent_name'],
  columns: [
    'name',
    'username',
    'code',
    'third_id',
    'parent_name',
    'agent_level',
    'contacts',
    'phone',
    'email',
    'device_count',
    'card_count',
    'account_prefix',
    'agent_mode',
    'agent_child_enable',
    'enrol_auto',
    'introduction',
    'create_at',
  ],
  filters: ['name', 'username', 'code', 'parent_id', 'create_at', 'third_id', 'contacts', 'phone', 'agent_mode', 'device_count'],
  orderby: 'create_at desc',
});

const profile = {
  ...pick(fields, 'name', 'parent_id', 'role_id', 'code', 'third_id', 'contacts', 'phone', 'email'),
  account_prefix: option(['账号前缀', 'Account prefix'], 'agent/prefix/option', {
    lookupBy: ['id', 'parent_id'],
    tips: ['该VNO开户时账号自动带此前缀', 'Accounts opened by this VNO carry the prefix'],
  }),
  agent_mode: fields.agent_mode,
  agent_child_enable: variant(fields.agent_child_enable, { label: ['允许发展下级VNO', 'May have child VNOs'] }),
  enrol_auto: fields.enrol_auto,
  introduction: variant(fields.introduction, { label: ['VNO简介', 'Introduction'] }),
};

const again = (label: readonly [string, string]) => password(label, { required: true, rules: [rules.confirm_equal('password')], max: 32 });

const forms = {
  create: form(['新增VNO', 'New VNO'], {
    username: fields.username,
    password: fields.password,
    repassword: again(['确认密码', 'Confirm password']),
    ...profile,
  }),
  edit: form(['编辑VNO', 'Edit VNO'], {
    username: variant(fields.username, { readonly: true }),
    password: password(['重置密码', 'New password'], {
      rules: [rules.password_rule],
      tips: ['留空表示不修改', 'Leave empty to keep the current one'],
    }),
    ...profile,
  }),
  devicePwd: form(['设置设备登录密码', 'Set device login password'], {
    vno_id: option(['VNO', 'VNO'], 'agent/option', { required: true, readonly: true }),
    password: password(['设备密码', 'Device password'], { required: true, rules: [rules.password_fixed] }),
    repassword: again(['确认密码', 'Confirm password']),
  }),
  authorize: form(['发放授权码', 'Issue authorization code'], {
    total: int(['授权数量', 'Quantity'], {
      required: true,
      rules: [rules.number_range(1, 10_000)],
      tips: ['可开通的子工号数量', 'Number of sub job numbers it allows'],
    }),
    expire_at: time(['到期时间', 'Expires at'], { required: true }),
    remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes] }),
  }),
  delete: form(['删除VNO', 'Delete VNO'], {
    confirm_name: text(['请输入VNO名称以确认', 'Type the VNO name to confirm'], {
      required: true,
      max: 128,
      rules: [rules.vno_name_match('name')],
    }),
  }),
};

export interface AgentNode {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly code: string;
  readonly parent_id: number | null;
  readonly disabled: boolean;
  /** A VNO can be created below it. */
  readonly takes_children: boolean;
  readonly agent_level: number;
  readonly agent_mode: number;
  readonly child_count: number;
  readonly device_count: number;
  readonly card_count: number;
  readonly create_at: number;
  readonly children: readonly AgentNode[];
}

export const vnoCalls = calls('vno', ['vno_list'], {
  list: { kind: 'list', path: 'agent', summary: ['查询VNO列表', 'List VNOs'], resource: vno },
  create: {
    kind: 'create',
    path: 'agent',
    summary: ['新增VNO', 'Create a VNO'],
    input: forms.create.fields,
    output: { id: int(['ID', 'ID'], { required: true }) },
  },
  read: {
    kind: 'detail',
    path: 'agent/{id}',
    access: ['vno_list', 'vno_topology'],
    summary: ['查看VNO', 'Read one VNO'],
    output: {
      ...pick(fields, ...vno.columns),
      account_prefix: profile.account_prefix,
      id: int(['ID', 'ID'], { required: true }),
      parent_id: option(['上级VNO', 'Parent VNO'], 'agent/topology'),
      role_id: option(['VNO角色', 'VNO role'], 'agent/role/option'),
      child_count: int(['下级VNO数', 'Child VNOs'], { required: true }),
      version: int(['版本', 'Version'], { required: true }),
    },
  },
  update: {
    kind: 'update',
    path: 'agent/{id}',
    summary: ['修改VNO', 'Change a VNO'],
    input: { password: forms.edit.fields.password, ...profile },
    versioned: true,
  },
  remove: {
    kind: 'delete',
    path: 'agent/{id}',
    summary: ['删除VNO', 'Delete a VNO'],
    input: { confirm_name: text(['VNO名称', 'VNO name'], { required: true, max: 128 }) },
  },
  login: {
    kind: 'command',
    path: 'agent/login/{id}',
    access: ['vno_list', 'vno_topology'],
    summary: ['进入VNO平台', 'Enter the VNO platform as a child VNO'],
    output: { token: text(['令牌', 'Token'], { required: true }), remoteData: text(['远程数据', 'Remote data'], { required: true }) },
  },
  devicePwd: {
    kind: 'update',
    path: 'agent/device_pwd',
    access: ['vno_list', 'device_list'],
    summary: ['设置VNO设备登录密码', "Set the login password of a VNO's devices"],
    // By default the VNO of the session; the device list uses it.
    input: { ...forms.devicePwd.fields, vno_id: option(['VNO', 'VNO'], 'agent/option') },
  },
  authorize: {
    kind: 'create',
    path: 'agent/authorize/{id}',
    summary: ['发放授权码', 'Issue an authorization code to a VNO'],
    input: forms.authorize.fields,
    output: { auth_code: text(['授权码', 'Authorization code'], { required: true }) },
  },
  option: {
    kind: 'option',
    path: 'agent/option',
    access: 'session',
    summary: ['VNO选项', 'Option list of VNOs'],
    // The target of a notice decides whether it reaches the own VNO.
    input: { ...subjectInput, target: text(['发布对象', 'Target'], { max: 16 }) },
    shape: shape<Record<string, string>>(),
  },
  topology: {
    kind: 'tree',
    path: 'agent/topology',
    access: ['vno_list', 'vno_topology'],
    summary: ['VNO拓扑', 'VNO tree with ids; the current agent is flagged disabled'],
    input: {
      ...lookupPage,
      vno_id: option(['根节点VNO', 'Root VNO'], 'agent/option'),
      name: text(['VNO名称', 'VNO name'], { max: 128 }),
    },
    shape: shape<{ list: readonly AgentNode[] }>(),
  },
});

export const vnoList = page({
  ...headOf('vnoList'),
  resource: vno,
  list: vnoCalls.list,
  forms,
  actions: {
    create: { on: 'toolbar', label: ['新增VNO', 'New VNO'], call: vnoCalls.create, form: 'create' },
    topology: { on: 'toolbar', label: ['查看拓扑', 'Topology'], to: '/vno/topology' },
    detail: { on: 'row', label: ['详情', 'Details'], call: vnoCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: vnoCalls.update, form: 'edit', when: (row, me) => row.id !== me.agent_id },
    login: {
      on: 'row',
      label: ['进入VNO平台', 'Enter VNO platform'],
      call: vnoCalls.login,
      when: (row, me) => row.id !== me.agent_id,
      confirm: ['将以该VNO身份在新窗口登录，是否继续？', 'Open the VNO platform as this VNO in a new window?'],
    },
    devicePwd: { on: 'row', label: ['设备密码', 'Device password'], call: vnoCalls.devicePwd, form: 'devicePwd' },
    authorize: {
      on: 'row',
      label: ['发放授权码', 'Issue code'],
      call: vnoCalls.authorize,
      form: 'authorize',
      when: (row, me) => me.agent_level === 0 && row.id !== me.agent_id,
    },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: vnoCalls.remove,
      form: 'delete',
      danger: true,
      when: (row, me) => row.device_count === 0 && row.id !== me.agent_id,
    },
  },
});

export const vnoTopology = page({
  ...headOf('vnoTopology'),
  resource: resource({
    fields: {
      ...pick(fields, 'name', 'username', 'code', 'agent_level', 'device_count', 'card_count', 'agent_mode', 'create_at'),
      child_count: int(['下级VNO数', 'Child VNOs']),
      vno_id: option(['根节点VNO', 'Root VNO'], 'agent/option'),
    },
    title: ['name', 'username'],
    columns: ['name', 'username', 'code', 'agent_level', 'child_count', 'device_count', 'card_count', 'agent_mode', 'create_at'],
    filters: ['vno_id', 'name'],
    orderby: 'name asc',
  }),
  forms: {},
  actions: {
    list: { on: 'toolbar', label: ['返回列表', 'Back to list'], to: '/vno/list' },
    detail: { on: 'row', label: ['详情', 'Details'], call: vnoCalls.read },
    login: { on: 'row', label: ['进入VNO平台', 'Enter VNO platform'], call: vnoCalls.login, when: (row, me) => row.id !== me.agent_id },
  },
});
