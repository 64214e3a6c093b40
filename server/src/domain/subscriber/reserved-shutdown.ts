import { type AccountStatus, accountStatus } from '@farlink/contract/user/choices.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { systemActor, writeLog } from '../../kit/log/record.ts';
import { kickSessions } from './kick-sessions.ts';

/** Maximum accounts per transaction. */
export const shutdownsAtOnce = 200;

interface Due {
  readonly id: number;
  readonly agent_id: number;
  readonly account: string;
  readonly status: AccountStatus;
}

/** A disabled or frozen account is shut down when it is restored; an expired account keeps its state. */
const patchOf = ({ status }: Due) => {
  if (accountStatus.can('reserve', status)) return { status: accountStatus.to('reserve') };
  return status === 'disabled' || status === 'frozen' ? { resume_status: 'reserved_shutdown' as const } : {};
};

const shutDown = async (db: Db, due: Due, now: number) => {
  const patch = patchOf(due);
  await db
    .updateTable('subscriber')
    .set((eb) => ({ ...patch, shutdown_at: null, update_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', due.id)
    .execute();
  if (!('status' in patch)) return;
  await kickSessions(db, { subscriber: due.id }, { now });
  await writeLog(
    db,
    { ...systemActor, agent_id: due.agent_id },
    { ip: '', userAgent: '', now: () => now },
    {
      module: 'user',
      action: 'update',
      content: [`预约停机到期，停机 ${due.account}`, `Shut down user ${due.account} as reserved`],
      before: { status: due.status },
      after: patch,
      subject: `subscriber:${due.id}`,
    },
  );
};

export const isShutdownDue = (now: number) => sql<boolean>`exists (select from subscriber where shutdown_at <= ${now})`;

/** Shuts down the accounts whose reserved time is reached, in the caller's transaction. Returns how many were due. */
export const shutDownDue = async (db: Db, now: number): Promise<number> => {
  const due = await db
    .selectFrom('subscriber')
    .select(['id', 'agent_id', 'account', 'status'])
    .where('shutdown_at', '<=', now)
    .orderBy('shutdown_at')
    .limit(shutdownsAtOnce)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const each of due) await shutDown(db, each, now);
  return due.length;
};
