import { dpiSend, isDpiRunning } from '@farlink/contract/traffic/dpi-task.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

/** Reporting tasks; polled while one is running. */
const DpiSend = () => {
  usePollWhileRunning(dpiSend.key, isDpiRunning);
  return <ResourcePage page={dpiSend} />;
};
export default DpiSend;
