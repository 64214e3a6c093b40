import { isEmpty } from '../kit/check.ts';
import { calls } from '../kit/endpoint.ts';
import { bool, choice, int, password, text, time, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import type { Rule } from '../kit/rule.ts';
import type { Values } from '../kit/values.ts';
import { headOf } from '../menu.ts';
import { rules } from '../rules.ts';
import { mailSecure } from './choices.ts';

/** Fields that decide where the stored password is sent. */
export const mailServerFields = ['user', 'host', 'port', 'secure'] as const;

/** `stored` has the stored values. A new user, host, port or security requires the password again, so it is never sent to another server. */
const requiresPassword = ({ stored, ...now }: Values & { readonly stored?: unknown }) => {
  if (typeof stored !== 'object' || stored === null) return true;
  const storedValues = new Map(Object.entries(stored));
  return mailServerFields.some((name) => !isEmpty(now[name]) && String(now[name]) !== String(storedValues.get(name)));
};

const bareHost: Rule = {
  name: 'domain',
  text: ['仅填写域名或IP，不带http://和端口', 'Host name or IP only, without http:// or port'],
  test: (value) => !/[:/]/.test(String(value)),
};

const fields = {
  enable: bool(['启用', 'Enabled'], { default: false }),
  name: text(['服务名称', 'Name'], {
    required: true,
    rules: [rules.no_edge_space, rules.text_cn_15],
    max: 15,
    tips: ['收件人看到的发件人名称', 'Sender name that recipients see'],
  }),
  user: text(['发件账号', 'User'], { required: true, rules: [rules.email], max: 128 }),
  password: password(['密码', 'Password'], {
    rules: [rules.no_cn_space],
    max: 128,
    requiredWhen: requiresPassword,
    tips: [
      '保存后不再显示，留空表示不修改；修改发件账号、服务器地址、端口或加密方式时须重新输入',
      'Not shown after saving. Leave empty to keep it. Enter it again if you change the user, host, port or security.',
    ],
  }),
  host: text(['服务器地址', 'Host'], { required: true, rules: [bareHost, rules.domain], max: 255 }),
  port: int(['端口', 'Port'], { required: true, rules: [rules.port], default: 465 }),
  secure: choice(['加密方式', 'Security'], mailSecure, {
    default: 'ssl',
    tips: ['不加密时账号和密码以明文传输', 'Without encryption, the user name and password are sent in plain text'],
  }),
  sign: text(['邮件签名', 'Signature'], { rules: [rules.no_edge_space, rules.text_cn_128], max: 128, tooltip: true }),
};

const resourceOf = resource({
  fields,
  title: ['name'],
  columns: ['enable', 'name', 'user', 'host', 'port', 'secure', 'sign'],
  filters: [],
  orderby: 'name asc',
});

export const mailForm = form(['邮件服务器', 'Mail server'], fields);

const { enable: _, ...tested } = fields;
const to = text(['收件邮箱', 'Send to'], { required: true, rules: [rules.email], max: 128 });

const number = int(['ID', 'ID'], { required: true });

export const mailServerCalls = calls('advanced', ['mail_server'], {
  read: {
    kind: 'detail',
    path: 'email/server',
    summary: ['查看邮件服务器', 'Read the mail server'],
    output: {
      id: number,
      version: variant(number, { label: ['版本', 'Version'] }),
      enable: bool(fields.enable.label, { required: true }),
      name: text(fields.name.label),
      user: text(fields.user.label),
      host: text(fields.host.label),
      port: int(fields.port.label),
      secure: choice(fields.secure.label, mailSecure),
      sign: text(fields.sign.label),
      has_password: bool(['已保存密码', 'Password stored'], { required: true }),
      sent_at: time(['最近发送成功', 'Last sent']),
      fault: text(['最近失败原因', 'Last failure']),
      fault_at: time(['最近失败时间', 'Last failed']),
    },
  },
  save: {
    kind: 'update',
    path: 'email/server',
    summary: ['保存邮件服务器', 'Save the mail server'],
    // The server decides whether it is required, because that depends on the stored values.
    input: { ...fields, password: variant(fields.password, { requiredWhen: undefined }) },
    versioned: true,
  },
  /** Connects to the mail server during the request, outside a transaction, and writes the operator log itself. */
  test: {
    kind: 'auth',
    path: 'email/server/test',
    summary: ['发送测试邮件', 'Send a test mail'],
    input: { to, ...tested, password: variant(fields.password, { requiredWhen: undefined }) },
    output: { answer: text(['服务器应答', 'Answer of the server'], { required: true, max: 1000 }) },
  },
  /** Whether this VNO or one above has an enabled mail server, for pages with notifications. */
  ready: {
    kind: 'detail',
    path: 'email/server/ready',
    access: ['mail_server', 'device_status_notify', 'ap_link_notice'],
    summary: ['邮件服务器是否可用', 'Whether a mail server is enabled'],
    output: { ready: bool(['可用', 'Ready'], { required: true }), own: bool(['本VNO', 'Own'], { required: true }) },
  },
});

export const mailServer = page({
  ...headOf('mailServer'),
  resource: resourceOf,
  list: mailServerCalls.read,
  forms: { server: mailForm, test: form(['发送测试邮件', 'Send a test mail'], { to }) },
  actions: {
    save: { on: 'toolbar', label: ['保存', 'Save'], call: mailServerCalls.save, form: 'server' },
    test: { on: 'toolbar', label: ['发送测试邮件', 'Send a test mail'], call: mailServerCalls.test, form: 'test' },
  },
});
