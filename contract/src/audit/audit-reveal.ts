import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, option, text, time } from '../kit/field.ts';
import { type Action, form, type Me, page } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { mayReveal, reason } from './audit-fields.ts';
import { auditPage } from './choices.ts';

/** Values of one row in clear, by column. */
export interface RevealedRow {
  /** Why there are no values: the key was deleted, or it cannot be opened. */
  readonly closed?: 'erased' | 'unreadable';
  readonly values: Readonly<Record<string, string>>;
}

export const erasures = resource({
  fields: {
    account: text(['上网账号', 'Online account'], { mono: true, width: 150 }),
    reason: text(['原因', 'Reason'], { tooltip: true, width: 260 }),
    key_count: int(['删除密钥数', 'Keys deleted'], { width: 110 }),
    operator: text(['操作人', 'Operator'], { width: 130 }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 150, to: references.vno }),
    create_at: time(['清除时间', 'Erased at'], { sort: true, months: limits.queryMonths, width: 164 }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['account', 'agent_name'],
  columns: ['account', 'reason', 'key_count', 'operator', 'agent_name', 'create_at'],
  filters: ['account', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

const eraseInput = { subscriber_id: option(['用户', 'User'], 'user/option', { required: true }), reason };

export const auditRevealCalls = calls('audit', ['audit_reveal'], {
  // The reply is not stored for the idempotency key, so the call writes its log line itself.
  reveal: {
    kind: 'auth',
    path: 'audit/reveal',
    summary: ['查看审计数据明文', 'Reveal the values of an audit row'],
    input: { page: choice(['页面', 'Page'], auditPage, { required: true }), id: int(['编号', 'ID'], { required: true }) },
    shape: shape<RevealedRow>(),
  },
  erasures: { kind: 'list', path: 'audit/forget', summary: ['查询清除记录', 'List erasures'], resource: erasures },
  forget: {
    kind: 'command',
    path: 'audit/forget',
    summary: ['清除用户的敏感信息', 'Erase the sealed values of a subscriber'],
    input: eraseInput,
    shape: shape<{ readonly keys: number }>(),
  },
});

const eraseWarning = [
  '删除该用户的密钥后，其姓名、手机号、证件号、邮件和帖子内容将永久无法读取。确定清除吗？',
  'The keys of this user are deleted. Names, phones, ID numbers, mails and posts become permanently unreadable. Erase?',
] as const;

export const eraseForm = { ...form(['清除用户信息', 'Erase a user'], { reason }), confirm: () => eraseWarning };

/** On a row of the page `authAccount`. The server checks the right. */
export const eraseRow = {
  on: 'row',
  label: ['清除', 'Erase'],
  danger: true,
  hiddenWhenRefused: true,
  when: (row: AnyRow, me: Me) => mayReveal(me) && typeof row.user_id === 'number',
} as const satisfies Action;

export const auditReveal = page({
  ...headOf('auditReveal'),
  resource: erasures,
  list: auditRevealCalls.erasures,
  forms: { erase: { ...form(['清除用户信息', 'Erase a user'], eraseInput), confirm: () => eraseWarning } },
  actions: {
    erase: { on: 'toolbar', label: ['清除用户信息', 'Erase a user'], call: auditRevealCalls.forget, form: 'erase', danger: true },
  },
});
