import type { Text } from '@farlink/contract/kit/text.ts';
import type { StopReason } from './log.ts';

/** Why sealing is stopped. */
export const stopTexts: Readonly<Record<StopReason, Text>> = {
  shorter: [
    '日志比外部保存的检查点短：数据库可能由较旧的备份恢复。',
    'The log is shorter than the checkpoint kept outside the database: the database may be restored from an older backup.',
  ],
  inconsistent: [
    '日志与外部保存的检查点不一致：已封存的内容被改写。',
    'The log contradicts the checkpoint kept outside the database: sealed content was rewritten.',
  ],
  foreign: [
    '外部保存的检查点由另一密钥签名：数据库或密钥被更换。',
    'The checkpoint kept outside the database is signed by another key: the database or the key was replaced.',
  ],
  unreadable: ['外部保存的检查点已损坏。', 'The checkpoint kept outside the database is damaged.'],
};
