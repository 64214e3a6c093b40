import { agentMode } from '../choices.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, file, image, int, longText, pick, text } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { phoneInput } from '../phone.ts';
import { rules, uploads } from '../rules.ts';

const fields = {
  name: text(['运营商名称', 'Operator name'], {
    required: true,
    rules: [rules.text_cn_128, rules.no_quotes],
    max: 128,
    tips: ['显示在控制台、登录页、邮件和打印单据上', 'Shown in the console, on the login page, in mails and on printed sheets'],
  }),
  username: text(['登录账号', 'Username']),
  code: text(['商户码', 'Merchant code'], { mono: true }),
  third_id: text(['第三方ID', 'Third-party ID'], { mono: true }),
  contacts: text(['联系人', 'Contact'], { required: true, rules: [rules.person_name], max: 20 }),
  phone: text(['联系电话', 'Phone'], { required: true, rules: [rules.phone], ...phoneInput }),
  email: text(['邮箱', 'Email'], { rules: [rules.email], max: 128 }),
  introduction: longText(['简介', 'Introduction'], { rules: [rules.free_512], max: 512, tooltip: true }),
  agent_logo: image(['后台Logo', 'Console logo']),
  device_logo: image(['设备Logo', 'Device logo']),
  agent_mode: choice(['运营模式', 'Agent mode'], agentMode),
  account_prefix: text(['账号前缀', 'Account prefix']),
};

const info = resource({
  fields,
  title: ['name'],
  columns: [
    'name',
    'username',
    'code',
    'third_id',
    'contacts',
    'phone',
    'email',
    'introduction',
    'agent_logo',
    'device_logo',
    'agent_mode',
    'account_prefix',
  ],
  filters: [],
  orderby: 'name asc',
});

const logo = { file: file(['Logo图片', 'Logo'], { required: true, upload: uploads.logo }) };

export const infoForm = form(['运营商信息', 'Operator information'], pick(fields, 'name', 'contacts', 'phone', 'email', 'introduction'));

const number = int(['ID', 'ID'], { required: true });

/** Each operator reads and changes only the VNO of the session. */
export const infoCalls = calls('market', ['info_setup'], {
  read: {
    kind: 'detail',
    path: 'agent/info',
    summary: ['查看运营商信息', 'Read the operator information'],
    output: {
      id: number,
      version: int(['版本', 'Version'], { required: true }),
      ...fields,
      contacts: text(fields.contacts.label),
      phone: text(fields.phone.label),
      /** Logos of the nearest VNO above, shown while this VNO has none. */
      inherited_agent_logo: image(['上级后台Logo', 'Inherited console logo']),
      inherited_device_logo: image(['上级设备Logo', 'Inherited device logo']),
    },
  },
  save: {
    kind: 'update',
    path: 'agent/mod',
    summary: ['修改运营商信息', 'Change the operator information'],
    input: infoForm.fields,
    versioned: true,
  },
  agentLogo: {
    kind: 'command',
    path: 'agent/logo/agent',
    summary: ['上传后台Logo', 'Upload the console logo'],
    input: logo,
    output: { agent_logo: image(fields.agent_logo.label, { required: true }) },
  },
  deviceLogo: {
    kind: 'command',
    path: 'agent/logo/device',
    summary: ['上传设备Logo', 'Upload the logo shown on the devices'],
    input: logo,
    output: { device_logo: image(fields.device_logo.label, { required: true }) },
  },
  /** Ours: back to the logo of the VNO above, or to the default. */
  removeAgentLogo: { kind: 'delete', path: 'agent/logo/agent', summary: ['移除后台Logo', 'Remove the console logo'] },
  removeDeviceLogo: { kind: 'delete', path: 'agent/logo/device', summary: ['移除设备Logo', 'Remove the logo shown on the devices'] },
});

export const infoSetup = page({
  ...headOf('infoSetup'),
  resource: info,
  list: infoCalls.read,
  forms: {
    info: infoForm,
    agentLogo: form(['后台Logo', 'Console logo'], logo),
    deviceLogo: form(['设备Logo', 'Device logo'], logo),
  },
  actions: {
    save: { on: 'toolbar', label: ['保存', 'Save'], call: infoCalls.save, form: 'info' },
    agentLogo: { on: 'toolbar', label: ['上传后台Logo', 'Upload console logo'], call: infoCalls.agentLogo, form: 'agentLogo' },
    deviceLogo: { on: 'toolbar', label: ['上传设备Logo', 'Upload device logo'], call: infoCalls.deviceLogo, form: 'deviceLogo' },
    reload: { on: 'toolbar', label: ['重新读取', 'Reload'], call: infoCalls.read },
    removeAgentLogo: {
      on: 'toolbar',
      label: ['移除后台Logo', 'Remove console logo'],
      call: infoCalls.removeAgentLogo,
      danger: true,
      confirm: ['将恢复为上级或默认Logo，是否移除？', 'The inherited or default logo is shown again. Remove the logo?'],
    },
    removeDeviceLogo: {
      on: 'toolbar',
      label: ['移除设备Logo', 'Remove device logo'],
      call: infoCalls.removeDeviceLogo,
      danger: true,
      confirm: ['将恢复为上级或默认Logo，是否移除？', 'The inherited or default logo is shown again. Remove the logo?'],
    },
  },
});
