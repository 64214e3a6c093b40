import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { aaaUserOnline } from '@farlink/contract/user/aaa-user.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { useLiveRefresh } from '../../kit/live/use-live.ts';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

/** A NAS of another maker has no device whose changes are reported. */
const isPolled = (row: AnyRow) => row.is_kicking === true || row.device_id === null;

/** Sessions by RADIUS; the list refreshes itself. */
const AaaUserOnline = () => {
  useLiveRefresh(['list', aaaUserOnline.key], ['user']);
  usePollWhileRunning(aaaUserOnline.key, isPolled);
  return <ResourcePage page={aaaUserOnline} />;
};
export default AaaUserOnline;
