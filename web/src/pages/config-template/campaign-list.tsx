import { configCampaign } from '@farlink/contract/config/campaign.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

const isUnderWay = (row: AnyRow) => row.state === 'preparing' || row.state === 'running' || Number(row.waiting_count) > 0;

const CampaignList = () => {
  usePollWhileRunning(configCampaign.key, isUnderWay);
  return <ResourcePage page={configCampaign} />;
};
export default CampaignList;
