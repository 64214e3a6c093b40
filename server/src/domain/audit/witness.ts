import type { EvidenceStatus } from '@farlink/contract/audit/audit-evidence.ts';
import {
  packProof,
  storedSize,
  type WitnessDoc,
  witnessConflict,
  witnessFrom,
  witnessSection,
} from '@farlink/gateway/protocol/audit-witness.ts';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { setDesired } from '../../orders/desired.ts';
import { alarmOnce } from './alarm.ts';
import { type Log, readLog, readNodes } from './log.ts';
import { logConsistency, MissingNode } from './log-tree.ts';
import { dbQuery, type Query } from './transaction.ts';

/** Gateways as witnesses of the log: each gets the newest checkpoint once a day and confirms that it continues its previous one. */

const day = 86_400;

/** A gateway that was not online for this long gets no checkpoint until it returns. */
const absentS = 7 * day;

/** Gateways of one run. With a run each ten minutes, 28,800 a day. */
const gatewaysPerRun = 200;

interface Due {
  readonly id: number;
  /** Size that this gateway confirmed last. */
  readonly confirmed_size: number;
  readonly err: string | null;
}

/** Size that a gateway has confirmed. Rows `s` of desired_section, `r` of reported_section; the documents are written by this file only. */
const confirmedSizeSql = `case when r.ok and r.rev = s.rev and r.hash = s.hash then split_part(s.doc ->> 'checkpoint', E'\\n', 2)::bigint
  else (s.doc ->> 'from')::bigint end`;

const sections = `desired_section s left join reported_section r on r.device_id = s.device_id and r.section = s.section`;

/** The gateway has refused this revision because the proof began at another size. It gets another proof at once. */
const isFromElsewhere = `(not r.ok and r.rev = s.rev and starts_with(r.err, '${witnessFrom} '))`;

const dueSql = `
  select d.id, coalesce(s.confirmed_size, 0) as confirmed_size, s.err
  from device d left join lateral (
    select ${confirmedSizeSql} as confirmed_size, case when ${isFromElsewhere} then r.err end as err, s.update_at,
      r.ok and r.rev = s.rev and s.doc ->> 'checkpoint' = $2 as is_confirmed
    from ${sections} where s.device_id = d.id and s.section = '${witnessSection}'
  ) s on true
  where '${witnessSection}' = any(d.caps) and (d.online_state = 1 or d.offline_at > $1 - ${absentS})
    and (s.update_at is null or s.err is not null or (s.update_at <= $1 - ${day} and s.is_confirmed is not true))
  order by s.update_at nulls first, d.id limit ${gatewaysPerRun}`;

/** A hash that was removed leaves the proof empty, so that the gateway refuses it. */
const proofOf = async (query: Query, from: number, size: number): Promise<string> => {
  try {
    return packProof(await logConsistency(from, size, readNodes(query)));
  } catch (error) {
    if (error instanceof MissingNode) return '';
    throw error;
  }
};

const docFor = async (query: Query, log: Log, from: number): Promise<WitnessDoc> => ({
  key: log.public_key.toString('base64'),
  checkpoint: log.checkpoint,
  from,
  proof: await proofOf(query, from, log.size),
});

export const readWitnesses = async (query: Query): Promise<EvidenceStatus['witnesses']> => {
  const [found] = await query<{ count: number; size: number | null; conflicts: number }>(
    `select count(*) filter (where confirmed_size > 0)::int as count, max(confirmed_size) as size, count(*) filter (where is_conflict)::int as conflicts
     from (select ${confirmedSizeSql} as confirmed_size, not r.ok and starts_with(r.err, '${witnessConflict}') as is_conflict
       from ${sections} where s.section = '${witnessSection}') w`,
  );
  return { count: found?.count ?? 0, size: found?.size ?? 0, conflicts: found?.conflicts ?? 0 };
};

const alarmTitle = ['网关与审计日志冲突', 'Gateways contradict the audit log'] as const;

const alarmTexts = (conflicts: number) =>
  [
    `保存的检查点与审计日志不一致的网关：${conflicts} 台。已封存的内容被改写，或数据库被恢复到较早的状态。见审计证据页。`,
    `Gateways whose checkpoint contradicts the audit log: ${conflicts}. Sealed content was rewritten, or an older database was restored. See the page Evidence.`,
  ] as const;

/** One run. While sealing is stopped nothing is sent: the contradiction is known already. */
export const sendCheckpoints = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>, signal?: AbortSignal) => {
  const now = clock.now();
  const query = dbQuery(db);
  const { conflicts } = await readWitnesses(query);
  if (conflicts > 0) await alarmOnce(db, alarmTitle, alarmTexts(conflicts), now);
  const log = await readLog(query);
  if (!log || log.stopped !== null || log.size === 0) return;
  const docs = new Map<number, WitnessDoc>();
  for (const due of await query<Due>(dueSql, [now, log.checkpoint])) {
    signal?.throwIfAborted();
    const from = storedSize(due.err) ?? due.confirmed_size;
    const doc = docs.get(from) ?? (await docFor(query, log, from));
    docs.set(from, doc);
    await db.transaction().execute((tx) => setDesired(tx, due.id, witnessSection, { ...doc }, { now }));
  }
};

const run = ({ deps, signal }: JobRun) => sendCheckpoints(deps, signal);

export const witnessJobs: JobKinds = { send_checkpoints: { run, everyS: 600, retentionS: 3600 } };
