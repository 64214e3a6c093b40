import { exportFormat, exportInput } from '../export/export.ts';
import type { RequestedExport } from '../export/export-log.ts';
import { shape } from '../kit/endpoint.ts';
import { choice, text, time, variant } from '../kit/field.ts';
import type { Action, Me } from '../kit/page.ts';
import type { AnyRow } from '../kit/resource.ts';
import { lengthWithin } from '../kit/rule.ts';
import { limits } from '../limits.ts';
import { deviceFields } from '../log/device-fields.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

/** Sealed values are found by a keyed hash. */
const sealedExact = ['加密存储，仅支持精确匹配', 'Stored encrypted. Matches the whole value.'] as const;

/** Filters of large tables are answered by an index, so they match the whole value. */
export const exact = { match: 'exact' } as const;

export const sealed = { ...exact, mask: true, tooltip: true, tips: sealedExact } as const;

/** Columns and filters that all kinds of audit data have. */
export const auditFields = {
  account: text(['上网账号', 'Online account'], { sort: 'newest', mono: true, width: 140, to: references.user, ...exact }),
  ip: text(['内网IP', 'Intranet IP'], { mono: true, width: 130, rules: [rules.ipv4], max: 15, ...exact }),
  mac: text(['终端MAC', 'Terminal MAC'], { mono: true, noTruncate: true, width: 164, rules: [rules.mac], max: 17, ...exact }),
  ...deviceFields,
  sn: variant(deviceFields.sn, { hiddenByDefault: true }),
  create_at: time(['采集时间', 'Collected at'], { sort: true, months: limits.queryMonths, width: 164 }),
};

export const deviceColumns = ['device_name', 'sn', 'agent_name', 'create_at'] as const;
export const firstFilters = ['account', 'device_id', 'mac', 'ip', 'create_at'] as const;

/** Reason of an operator for access to audit data. Stored with each access. */
export const reason = text(['查看原因', 'Reason'], {
  required: true,
  max: limits.auditReason[1],
  rules: [lengthWithin('audit_reason', ...limits.auditReason, ['原因须为 4 - 200 个字符', 'Enter a reason of 4 - 200 characters'])],
});

const content = [
  { id: 'masked', label: ['脱敏', 'Masked'] },
  { id: 'clear', label: ['明文', 'In clear'] },
] as const;

export const contentField = choice(['敏感信息', 'Sensitive values'], content, { default: 'masked' });

/** The archive has the rows and their proofs, for the verifier. */
const withProofs = [...exportFormat, { id: 'zip', label: ['ZIP（含证明）', 'ZIP with proofs'] }] as const;

/** For a page whose rows have no proofs. */
export const stateExport = { kind: 'export', input: exportInput, shape: shape<RequestedExport>() } as const;

/** For a page without sealed values. */
export const plainExport = { ...stateExport, input: { format: choice(exportInput.format.label, withProofs, { default: 'csv' }) } } as const;

export const auditExport = {
  ...stateExport,
  input: {
    format: choice(exportInput.format.label, withProofs, { default: 'csv' }),
    content: contentField,
  },
} as const;

export const exportRows = { on: 'toolbar', label: ['导出', 'Export'] } as const satisfies Action;

/** spec: revealing needs a separate right. The server checks it again. */
export const mayReveal = (me: Me) =>
  me.permissions === null || (me.permissions.includes('audit_reveal') && me.operate_permissions['post_audit/reveal'] === '11');

/** Shows the values of one row in clear, in a dialog. */
export const revealRow = {
  on: 'row',
  label: ['查看明文', 'Reveal'],
  hiddenWhenRefused: true,
  when: (_: AnyRow, me: Me) => mayReveal(me),
} as const satisfies Action;

/** Sessions of the account around the time of the row. */
export const sessionsOfRow = {
  on: 'row',
  label: ['上网日志', 'Online log'],
  to: '/user/aaa-log?account=:account&login_at_start=:session_from&login_at_end=:session_to',
  hiddenWhenRefused: true,
  when: (row: AnyRow) => typeof row.account === 'string' && row.account !== '',
} as const satisfies Action;
