import { billExportLog } from '@farlink/contract/log/bill-export-log.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import { isExporting, useNews } from '../../kit/use-news.ts';

const BillExportLog = () => {
  useNews(billExportLog.key, isExporting);
  return <ResourcePage page={billExportLog} />;
};
export default BillExportLog;
