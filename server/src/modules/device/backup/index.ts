import { backupCalls } from '@farlink/contract/device/backup.ts';
import { bind } from '../../../kit/http/serve.ts';
import { downloadBackup, listBackups, makeBackups } from './backup.ts';
import { exportBackups, listBackupExports } from './export-backups.ts';

export const backupBindings = [
  bind(backupCalls.list, listBackups),
  bind(backupCalls.make, makeBackups),
  bind(backupCalls.download, downloadBackup),
  bind(backupCalls.export, exportBackups),
  bind(backupCalls.exports, listBackupExports),
];
