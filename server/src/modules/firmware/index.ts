import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import { firmwareLogCalls } from '@farlink/contract/firmware/download-log.ts';
import { firmwareCalls } from '@farlink/contract/firmware/firmware.ts';
import { upgradeCalls } from '@farlink/contract/firmware/upgrade.ts';
import { bind, bindAll } from '../../kit/http/serve.ts';
import { endCampaign, listCampaignDevices, listCampaigns, readCampaign, resumeCampaign, stopCampaign } from './campaign.ts';
import { downloadFirmware } from './download.ts';
import { listDownloads } from './download-log.ts';
import { estimateRollback, estimateUpgrade } from './estimate.ts';
import { createFirmware, listFirmware, listModels, readFirmware, removeFirmware, updateFirmware } from './firmware.ts';
import { rollbackOptions, upgradeOptions } from './options.ts';
import { rollbackDevices, upgradeDevices } from './upgrade.ts';

export const firmwareBindings = [
  ...bindAll(firmwareCalls, {
    list: listFirmware,
    create: createFirmware,
    read: readFirmware,
    update: updateFirmware,
    remove: removeFirmware,
    download: downloadFirmware,
    models: listModels,
  }),
  bind(firmwareLogCalls.list, listDownloads),
  ...bindAll(upgradeCalls, {
    upgrade: upgradeDevices,
    rollback: rollbackDevices,
    option: upgradeOptions,
    rollbackOption: rollbackOptions,
    estimate: estimateUpgrade,
    rollbackEstimate: estimateRollback,
  }),
  ...bindAll(campaignCalls, {
    list: listCampaigns,
    read: readCampaign,
    devices: listCampaignDevices,
    stop: stopCampaign,
    resume: resumeCampaign,
    end: endCampaign,
  }),
];
