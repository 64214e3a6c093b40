import { calls, shape } from '../kit/endpoint.ts';
import { choice, date, int, progress, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { lengthWithin } from '../kit/rule.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { rules } from '../rules.ts';

const causes = [
  { id: 'nightly', label: ['每夜', 'Nightly'] },
  { id: 'manual', label: ['手动', 'Manual'] },
] as const;

const states = [
  { id: 'waiting', label: ['等待', 'Waiting'], color: 'default' },
  { id: 'running', label: ['核验中', 'Running'], color: 'blue' },
  { id: 'done', label: ['完成', 'Done'], color: 'green' },
  { id: 'failed', label: ['失败', 'Failed'], color: 'red' },
] as const;

export const verifications = resource({
  fields: {
    create_at: time(['开始时间', 'Started at'], { sort: true, months: limits.queryMonths, width: 164 }),
    cause: choice(['方式', 'Cause'], causes, { width: 90 }),
    from_at: time(['数据起始', 'Data from'], { width: 164 }),
    to_at: time(['数据截止', 'Data to'], { width: 164 }),
    state: choice(['状态', 'State'], states, { width: 100 }),
    progress: progress(['进度', 'Progress'], { width: 120 }),
    row_count: int(['行数', 'Rows'], { width: 110 }),
    batch_count: int(['批次数', 'Batches'], { width: 100, hiddenByDefault: true }),
    finding_count: int(['发现问题', 'Findings'], { width: 100 }),
    operator: text(['操作人', 'Operator'], { width: 120 }),
    finish_at: time(['完成时间', 'Finished at'], { width: 164, hiddenByDefault: true }),
  },
  title: ['create_at', 'cause'],
  columns: [
    'create_at',
    'cause',
    'from_at',
    'to_at',
    'state',
    'progress',
    'row_count',
    'batch_count',
    'finding_count',
    'operator',
    'finish_at',
  ],
  filters: ['create_at'],
  orderby: 'create_at desc',
});

/** State of the log of seals. */
export interface EvidenceStatus {
  readonly size: number;
  /** Signed text of the newest checkpoint; empty before the first seal. */
  readonly checkpoint: string;
  readonly signed_at: number | null;
  /** Verifier key of the checkpoint: name, key id, key. */
  readonly public_key: string;
  readonly last_seal_at: number | null;
  /** Batches of completed minutes that are not sealed yet, and the age of the oldest in seconds. */
  readonly unsealed: number;
  readonly lag_s: number;
  /** Why sealing is stopped, until the fork is recorded. */
  readonly stopped: Text | null;
  readonly stopped_at: number | null;
  /** Copies outside the database. */
  readonly bucket: 'off' | 'on' | 'failed';
  readonly anchored_at: number | null;
  readonly mails: number;
  readonly mailed_at: number | null;
  /** Gateways that hold a checkpoint, the newest size they hold, and how many refused the log because it contradicts theirs. */
  readonly witnesses: { readonly count: number; readonly size: number; readonly conflicts: number };
  readonly verified_to: number | null;
  readonly forks: readonly { readonly index: number; readonly reason: string; readonly create_at: number }[];
}

export interface ShownFinding {
  readonly type: string;
  readonly text: Text;
}

const reason = text(['原因', 'Reason'], {
  required: true,
  max: limits.auditReason[1],
  rules: [lengthWithin('audit_reason', ...limits.auditReason, ['原因须为 4 - 200 个字符', 'Enter a reason of 4 - 200 characters'])],
});

const verifyInput = {
  from_at: date(['数据起始日期', 'Data from'], { required: true, start: true }),
  to_at: date(['数据截止日期', 'Data to'], { required: true, rules: [rules.start_before_end('from_at')] }),
};

export const auditEvidenceCalls = calls('audit', ['audit_evidence'], {
  status: { kind: 'detail', path: 'audit/evidence', summary: ['审计证据状态', 'State of audit evidence'], shape: shape<EvidenceStatus>() },
  list: { kind: 'list', path: 'audit/verify', summary: ['查询核验', 'List verifications'], resource: verifications },
  findings: {
    kind: 'detail',
    path: 'audit/finding',
    summary: ['核验发现的问题', 'Findings of a verification'],
    input: { verification_id: int(['核验编号', 'Verification'], { required: true }) },
    shape: shape<readonly ShownFinding[]>(),
  },
  verify: {
    kind: 'create',
    path: 'audit/verify',
    summary: ['核验审计数据', 'Verify audit data'],
    input: verifyInput,
    output: idOutput,
  },
  fork: { kind: 'command', path: 'audit/fork', summary: ['记录日志分叉', 'Record a fork of the log'], input: { reason } },
});

export const forkForm = {
  ...form(['记录分叉', 'Record the fork'], { reason }),
  confirm: () =>
    [
      '分叉将永久记录在日志中，之后恢复封存。确定吗？',
      'The fork is recorded in the log permanently, and sealing continues. Record it?',
    ] as const,
};

export const auditEvidence = page({
  ...headOf('auditEvidence'),
  resource: verifications,
  list: auditEvidenceCalls.list,
  forms: { verify: form(['核验审计数据', 'Verify audit data'], verifyInput), fork: forkForm },
  actions: {
    verify: { on: 'toolbar', label: ['核验', 'Verify'], call: auditEvidenceCalls.verify, form: 'verify' },
    findings: {
      on: 'row',
      label: ['问题', 'Findings'],
      when: (row) => Number(row.finding_count) > 0,
      why: ['没有发现问题', 'No findings'],
    },
  },
});
