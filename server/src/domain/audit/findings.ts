import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import type { AuditKind } from './kinds.ts';

/** What a verification can find. Each has its own text. */
export type FindingType =
  | ('row_altered' | 'row_missing' | 'row_added' | 'sealed_altered')
  | ('batch_altered' | 'batch_missing' | 'batch_added' | 'minute_missing' | 'week_missing' | 'week_returned' | 'drop_early')
  | ('log_altered' | 'log_shorter' | 'checkpoint_invalid' | 'log_restored' | 'log_rewritten' | 'key_replaced' | 'copy_damaged');

export interface Finding {
  readonly type: FindingType;
  readonly kind?: AuditKind | undefined;
  /** Time of storing, or index in the log for findings about the log. */
  readonly from_at?: number | undefined;
  readonly to_at?: number | undefined;
  readonly batch?: string | undefined;
  readonly device_id?: number | undefined;
  readonly n?: number | undefined;
  /** Rows, batches or minutes. */
  readonly count?: number | undefined;
}

export const kindTexts: Readonly<Record<AuditKind, Text>> = {
  auth: ['认证账号', 'authentication'],
  identity: ['虚拟身份', 'identity'],
  url: ['网页访问', 'URL'],
  forum: ['论坛', 'forum'],
  mail: ['邮件', 'mail'],
  terminal: ['终端', 'terminal'],
};

/** {0} kind, {1} time, {2} end, {3} batch, {4} device, {5} row, {6} count, {7} index in the log. */
const texts: Readonly<Record<FindingType, Text>> = {
  row_altered: ['{0}数据被修改：{1}，批次 {3}，设备 {4}，{5}', 'A row of {0} data was altered: {1}, batch {3}, device {4}, {5}'],
  row_missing: ['{0}数据被删除：{1}，批次 {3}，设备 {4}，{5}', 'A row of {0} data was deleted: {1}, batch {3}, device {4}, {5}'],
  row_added: ['{0}数据被加入：{1}，批次 {3}，{5}', 'A row of {0} data was added: {1}, batch {3}, {5}'],
  sealed_altered: [
    '{0}数据的加密内容或检索值被修改：{1}，批次 {3}，设备 {4}，{5}',
    'Encrypted values or search values of {0} data were altered: {1}, batch {3}, device {4}, {5}',
  ],
  batch_altered: ['{0}批次的记录被修改：{1}，批次 {3}', 'The record of a {0} batch was altered: {1}, batch {3}'],
  batch_missing: ['{0}的 {6} 个批次被删除：{1}', '{6} batches of {0} data were deleted: {1}'],
  batch_added: ['{0}的批次被加入：{1}，批次 {3}，设备 {4}', 'A batch of {0} data was added: {1}, batch {3}, device {4}'],
  minute_missing: ['{0}的 {6} 分钟数据全部缺失：{1} 至 {2}', 'All {0} data of {6} minutes is missing: {1} to {2}'],
  week_missing: ['{0}一周的数据缺失，且没有删除记录：{1} 至 {2}', 'A week of {0} data is missing without a drop record: {1} to {2}'],
  week_returned: ['已删除的一周又有{0}数据：{1} 至 {2}', 'A week that was dropped has {0} data again: {1} to {2}'],
  drop_early: ['{0}一周的数据在180天之前被删除：{1} 至 {2}', 'A week of {0} data was dropped before 180 days: {1} to {2}'],
  log_altered: ['封存日志第 {7} 项被修改或缺失', 'Entry {7} of the log of seals was altered or is missing'],
  log_shorter: ['封存日志最新的 {6} 项缺失，自第 {7} 项起', 'The newest {6} entries of the log of seals are missing, from entry {7}'],
  checkpoint_invalid: ['检查点的签名或内容无效', 'The checkpoint has an invalid signature or content'],
  log_restored: [
    '封存日志比外部保存的检查点短：数据库由较旧的备份恢复',
    'The log of seals is shorter than the checkpoint kept outside: the database was restored from an older backup',
  ],
  log_rewritten: [
    '封存日志与外部保存的检查点不一致：日志被改写',
    'The log of seals contradicts the checkpoint kept outside: it was rewritten',
  ],
  key_replaced: ['签名密钥被更换', 'The signing key was replaced'],
  copy_damaged: ['外部保存的检查点已损坏', 'The checkpoint kept outside is damaged'],
};

const rowText = (n: number | null | undefined): Text =>
  n === null || n === undefined ? ['行未知', 'row unknown'] : [`第 ${n} 行`, `row ${n}`];

export type StoredFinding = { readonly [K in keyof Finding]?: Finding[K] | null };

export const findingText = (finding: StoredFinding): Text => {
  const { type, kind, from_at, to_at, batch, device_id, n, count } = finding;
  if (!type) return ['', ''];
  const time = (at: number | null | undefined) => (at === null || at === undefined ? '-' : zonedTime(at));
  return fill(
    texts[type],
    kind ? kindTexts[kind] : '',
    time(from_at),
    time(to_at),
    batch ?? '-',
    device_id ?? '-',
    rowText(n),
    ...[count ?? 1, from_at ?? '-'],
  );
};
