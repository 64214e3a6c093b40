import { commonStatus } from '../choices.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { choice, link, longText, option, tags, text, time, variant } from '../kit/field.ts';
import type { Action } from '../kit/page.ts';
import { removeAction, toggleActions } from '../kit/page-actions.ts';
import type { Rule } from '../kit/rule.ts';
import type { Text } from '../kit/text.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

const eachEmail: Rule = {
  name: 'email',
  text: rules.email.text,
  test: (value, all, env) => Array.isArray(value) && value.every((mailbox) => rules.email.test(mailbox, all, env)),
};

/** Fields shared by the rules for devices and for access points. */
export const notifyFields = {
  device_name: link(['设备名称', 'Device'], { to: '/device/detail/:device_id', tooltip: true, width: 160 }),
  device_id: option(['设备', 'Device'], 'device/option', { required: true }),
  sn: text(['设备SN', 'SN'], { mono: true, width: 150 }),
  emails: tags(['通知邮箱', 'Mailboxes'], {
    required: true,
    rules: [eachEmail, rules.notify_mailbox, rules.notify_mailboxes],
    noTruncate: true,
    width: 230,
    tips: [
      '输入后按回车添加，最多3个；邮件使用保存时的界面语言',
      'Press Enter to add, at most 3. Mails use the UI language at the time you save.',
    ],
  }),
  email: text(['通知邮箱', 'Mailbox']),
  status: choice(['状态', 'Status'], commonStatus, { default: 1 }),
  last_notify_at: time(['最近通知时间', 'Last notified'], { sort: true, hiddenByDefault: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512, tooltip: true, hiddenByDefault: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
};

/** The tips of a form are not shown in a column header. */
export const shownEmails = variant(notifyFields.emails, { tips: undefined });

export const newRule: Text = ['新增通知', 'New notification'];
export const editRule: Text = ['编辑通知', 'Edit notification'];

interface RuleCalls {
  readonly create: Endpoint;
  readonly update: Endpoint;
  readonly remove: Endpoint;
}

export const ruleActions = (calls: RuleCalls) =>
  ({
    create: { on: 'toolbar', label: newRule, call: calls.create, form: 'create' },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: calls.update, form: 'edit' },
    ...toggleActions(calls.update, ['通知', 'notification'], '禁用'),
    delete: removeAction(calls.remove, ['通知', 'notification']),
  }) as const satisfies Record<string, Action>;
