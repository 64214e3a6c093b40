import { dockerExportLog } from '@farlink/contract/log/docker-export-log.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import { isExporting, useNews } from '../../kit/use-news.ts';

const DockerExportLog = () => {
  useNews(dockerExportLog.key, isExporting);
  return <ResourcePage page={dockerExportLog} />;
};
export default DockerExportLog;
