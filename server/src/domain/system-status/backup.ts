import type { StatusBackup, StatusFinding } from '@farlink/contract/advanced/system-status.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { Deps } from '../../kit/deps.ts';
import { cachedFor } from './cached.ts';
import { durationText, finding, statusPart } from './finding.ts';
import { levelOf, thresholds } from './thresholds.ts';

type BackupDeps = Pick<Deps, 'db' | 'clock' | 'pool' | 'config'>;

const lastRun = ({ db }: BackupDeps, result: 'done' | 'failed') =>
  db.selectFrom('system_backup').selectAll().where('result', '=', result).orderBy('started_at', 'desc').limit(1).executeTakeFirst();

export const readBackupFigures = cachedFor(15, async (deps: BackupDeps): Promise<StatusBackup> => {
  const good = await lastRun(deps, 'done');
  const bad = await lastRun(deps, 'failed');
  const isLastBad = bad !== undefined && (good === undefined || bad.started_at > good.started_at);
  return {
    kind: deps.config.databaseUrl === undefined ? 'embedded' : 'external',
    last_at: good?.ended_at ?? null,
    bytes: good?.bytes ?? null,
    file_name: good?.file_name ?? null,
    failed_at: isLastBad ? bad.ended_at : null,
    error: isLastBad ? bad.error : null,
  };
});

/** Age of the data that a restore would lose: since the last backup, or since the first start. */
const ageOf = async ({ db, clock }: BackupDeps, { last_at }: StatusBackup) => {
  const since = last_at ?? (await db.selectFrom('installation').select('create_at').executeTakeFirst())?.create_at;
  return since === undefined ? 0 : Math.max(0, clock.now() - since);
};

const todo: Text = ['运行 npm run backup，并设置每日执行', 'Run npm run backup, and schedule it each day'];

const findingsOf = (backup: StatusBackup, age: number): StatusFinding[] => {
  // An external PostgreSQL is backed up by other tools, unless this console has made a backup.
  const isChecked = backup.kind === 'embedded' || backup.last_at !== null;
  const reason: Text =
    backup.last_at === null
      ? ['还没有备份', 'There is no backup']
      : fill(['最近一次成功的备份在 {0}前', 'The last successful backup was {0} ago'], durationText(age));
  return [
    ...finding('backup_age', isChecked ? levelOf(age, thresholds.backupS) : undefined, reason, todo),
    ...finding(
      'backup_failed',
      backup.error === null ? undefined : 'warning',
      fill(['最近一次备份失败：{0}', 'The last backup failed: {0}'], backup.error ?? ''),
      ['消除原因后重新运行备份', 'Remove the cause and run the backup again'],
    ),
  ];
};

export const readBackup = async (deps: Deps) => {
  const backup = await readBackupFigures(deps);
  return statusPart(backup, findingsOf(backup, await ageOf(deps, backup)));
};
