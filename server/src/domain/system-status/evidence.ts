import type { StatusEvidence, StatusFinding } from '@farlink/contract/advanced/system-status.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import type { Deps } from '../../kit/deps.ts';
import { evidenceStatus } from '../audit/evidence-status.ts';
import { cachedFor } from './cached.ts';
import { finding, statusPart } from './finding.ts';

const findingsOf = ({ stopped, conflicts, verification }: StatusEvidence): StatusFinding[] => [
  ...finding(
    'seal_stopped',
    stopped ? 'critical' : undefined,
    fill(['审计封存已停止：{0}', 'Audit sealing is stopped: {0}'], stopped ?? ''),
    ['打开“证据”页，查明原因后记录分叉', 'Open the page Evidence, find the cause, then record the fork'],
  ),
  ...finding(
    'witness_conflict',
    conflicts > 0 ? 'critical' : undefined,
    fill(['{0} 台网关保存的检查点与日志不一致', 'The checkpoints of {0} gateways contradict the log'], conflicts),
    ['打开“证据”页；不要删除任何数据', 'Open the page Evidence. Do not delete any data.'],
  ),
  ...finding(
    'verification',
    verification && verification.finding_count > 0 ? 'critical' : verification?.state === 'failed' ? 'warning' : undefined,
    verification && verification.finding_count > 0
      ? fill(['最近一次核验发现 {0} 个问题', 'The last verification has {0} findings'], verification.finding_count)
      : ['最近一次核验失败', 'The last verification failed'],
    ['打开“证据”页查看核验结果', 'Open the page Evidence and read the verification'],
  ),
];

/** Counts witnesses of the whole fleet. */
const readFigures = cachedFor(30, async ({ db, config, clock }: Deps): Promise<StatusEvidence> => {
  const { size, signed_at, stopped, witnesses, verified_to } = await evidenceStatus(db, config, clock.now());
  const verification = await db
    .selectFrom('audit_verification')
    .select(['create_at', 'state', 'finding_count'])
    .where('state', 'in', ['done', 'failed'])
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { size, signed_at, stopped, verified_to, conflicts: witnesses.conflicts, verification: verification ?? null };
});

export const readEvidence = async (deps: Deps) => {
  const figures = await readFigures(deps);
  return statusPart(figures, findingsOf(figures));
};
