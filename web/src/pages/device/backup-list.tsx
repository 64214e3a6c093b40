import { backupList } from '@farlink/contract/device/backup.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { useLiveRefresh } from '../../kit/live/use-live.ts';

/** A backup arrives some time after its request; the list refreshes itself. */
const BackupList = () => {
  useLiveRefresh(['list', backupList.key], ['command']);
  return <ResourcePage page={backupList} link="download" />;
};
export default BackupList;
