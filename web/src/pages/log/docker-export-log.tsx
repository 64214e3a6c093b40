import { dockerExportLog } from '@farlink/contract/log/docker-export-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { isExporting, usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

const DockerExportLog = () => {
  usePollWhileRunning(dockerExportLog.key, isExporting);
  return <ResourcePage page={dockerExportLog} />;
};
export default DockerExportLog;
