import { campaignState, firmwareCampaign } from '@farlink/contract/firmware/campaign.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

const isOpen = (row: AnyRow) => row.open_count !== 0 || campaignState.can('end', row.state);

/** Upgrades and rollbacks; polled while one is running. */
const CampaignList = () => {
  usePollWhileRunning(firmwareCampaign.key, isOpen);
  return <ResourcePage page={firmwareCampaign} />;
};
export default CampaignList;
