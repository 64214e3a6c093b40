import { backupList } from '@farlink/contract/device/backup.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { useLiveRefresh } from '../../kit/live/use-live.ts';

/** A backup arrives by itself some time after it was asked for; the list shows it without being asked. */
const BackupList = () => {
  useLiveRefresh(['list', backupList.key], ['command']);
  return <ResourcePage page={backupList} link="download" />;
};
export default BackupList;
