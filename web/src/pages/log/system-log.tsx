import { systemLog } from '@farlink/contract/log/operator-log.ts';
import { LogPage } from './log-page.tsx';

export default () => <LogPage page={systemLog} />;
