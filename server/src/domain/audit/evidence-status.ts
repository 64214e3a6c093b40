import type { EvidenceStatus } from '@farlink/contract/audit/audit-evidence.ts';
import { verifierKey } from '@farlink/gateway/protocol/checkpoint.ts';
import type { Config } from '../../env/config.ts';
import type { Db } from '../../kit/deps.ts';
import { type LogLeaf, readLog } from './log.ts';
import { minuteOf } from './seal.ts';
import { stopTexts } from './stop-texts.ts';
import { dbQuery } from './transaction.ts';
import { readWitnesses } from './witness.ts';

/** Counting stops here, because the age shows the size of the backlog. */
const countLimit = 10_000;

const orNull = (at: number | undefined): number | null => (at === undefined || at === 0 ? null : at);

export const evidenceStatus = async (db: Db, config: Pick<Config, 'audit'>, now: number): Promise<EvidenceStatus> => {
  const query = dbQuery(db);
  const log = await readLog(query);
  const [open] = await query<{ count: number; oldest: number | null }>(
    `select count(*)::int as count, min(stored_at) as oldest
     from (select stored_at from audit_batch where seal is null and stored_at < $1 order by stored_at limit ${countLimit}) b`,
    [minuteOf(now)],
  );
  const [seal] = await query<{ at: number }>("select create_at as at from audit_leaf where type = 'seal' order by index desc limit 1");
  const forks = await query<LogLeaf>("select * from audit_leaf where type = 'fork' order by index desc limit 20");
  return {
    size: log?.size ?? 0,
    checkpoint: log?.checkpoint ?? '',
    signed_at: log?.signed_at ?? null,
    public_key: log ? verifierKey(log.origin, log.public_key) : '',
    last_seal_at: seal?.at ?? null,
    unsealed: open?.count ?? 0,
    lag_s: open?.oldest ? now - open.oldest : 0,
    stopped: log?.stopped ? stopTexts[log.stopped] : null,
    stopped_at: log?.stopped_at ?? null,
    bucket: config.audit.anchorUrl === undefined ? 'off' : log?.anchor_fault ? 'failed' : 'on',
    anchored_at: orNull(log?.anchored_at),
    mails: config.audit.anchorMail.length,
    mailed_at: orNull(log?.mailed_at),
    witnesses: await readWitnesses(query),
    verified_to: orNull(log?.verified_to),
    forks: forks.map(({ index, note, create_at }) => ({ index, reason: note?.split('\n\n')[0] ?? '', create_at })),
  };
};
