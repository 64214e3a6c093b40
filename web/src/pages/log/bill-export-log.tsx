import { billExportLog } from '@farlink/contract/log/bill-export-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { isExporting, usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

const BillExportLog = () => {
  usePollWhileRunning(billExportLog.key, isExporting);
  return <ResourcePage page={billExportLog} />;
};
export default BillExportLog;
