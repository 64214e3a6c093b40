import { configCampaignCalls as calls } from '@farlink/contract/config/campaign.ts';
import { type Binding, bindAll } from '../../../kit/http/serve.ts';
import { retryCampaign, stopCampaign } from './move.ts';
import { listCampaigns, listTargets, readCampaign } from './read.ts';
import { startBulk, startCopy, startTemplate } from './start.ts';

export const configCampaignBindings: readonly Binding[] = [
  ...bindAll(calls, {
    list: listCampaigns,
    read: readCampaign,
    devices: listTargets,
    start: startTemplate,
    bulk: startBulk,
    copy: startCopy,
    stop: stopCampaign,
    retry: retryCampaign,
  }),
];
