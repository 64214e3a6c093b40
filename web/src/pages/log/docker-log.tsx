import { dockerLog } from '@farlink/contract/log/docker-log.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const DockerLog = () => <ResourcePage page={dockerLog} />;
export default DockerLog;
