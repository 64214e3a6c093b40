import { downloadLog } from '@farlink/contract/firmware/download-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const DownloadLog = () => <ResourcePage page={downloadLog} />;
export default DownloadLog;
