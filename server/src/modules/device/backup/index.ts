import { backupCalls } from '@farlink/contract/device/backup.ts';
import { bindAll } from '../../../kit/http/serve.ts';
import { downloadBackup, listBackups, makeBackups } from './backup.ts';
import { exportBackups, listBackupExports } from './export-backups.ts';

export const backupBindings = [
  ...bindAll(backupCalls, {
    list: listBackups,
    make: makeBackups,
    download: downloadBackup,
    export: exportBackups,
    exports: listBackupExports,
  }),
];
