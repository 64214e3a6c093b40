import { configCampaignCalls as calls } from '@farlink/contract/config/campaign.ts';
import { type Binding, bind } from '../../../kit/http/serve.ts';
import { retryCampaign, stopCampaign } from './move.ts';
import { listCampaigns, listTargets, readCampaign } from './read.ts';
import { startBulk, startCopy, startTemplate } from './start.ts';

export const configCampaignBindings: readonly Binding[] = [
  bind(calls.list, listCampaigns),
  bind(calls.read, readCampaign),
  bind(calls.devices, listTargets),
  bind(calls.start, startTemplate),
  bind(calls.bulk, startBulk),
  bind(calls.copy, startCopy),
  bind(calls.stop, stopCampaign),
  bind(calls.retry, retryCampaign),
];
