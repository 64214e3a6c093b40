import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import { firmwareLogCalls } from '@farlink/contract/firmware/download-log.ts';
import { firmwareCalls } from '@farlink/contract/firmware/firmware.ts';
import { upgradeCalls } from '@farlink/contract/firmware/upgrade.ts';
import { bind } from '../../kit/http/serve.ts';
import { endCampaign, listCampaignDevices, listCampaigns, readCampaign, resumeCampaign, stopCampaign } from './campaign.ts';
import { downloadFirmware } from './download.ts';
import { listDownloads } from './download-log.ts';
import { estimateRollback, estimateUpgrade } from './estimate.ts';
import { createFirmware, listFirmware, listModels, readFirmware, removeFirmware, updateFirmware } from './firmware.ts';
import { rollbackOptions, upgradeOptions } from './options.ts';
import { rollbackDevices, upgradeDevices } from './upgrade.ts';

export const firmwareBindings = [
  bind(firmwareCalls.list, listFirmware),
  bind(firmwareCalls.create, createFirmware),
  bind(firmwareCalls.read, readFirmware),
  bind(firmwareCalls.update, updateFirmware),
  bind(firmwareCalls.remove, removeFirmware),
  bind(firmwareCalls.download, downloadFirmware),
  bind(firmwareCalls.models, listModels),
  bind(firmwareLogCalls.list, listDownloads),
  bind(upgradeCalls.upgrade, upgradeDevices),
  bind(upgradeCalls.rollback, rollbackDevices),
  bind(upgradeCalls.option, upgradeOptions),
  bind(upgradeCalls.rollbackOption, rollbackOptions),
  bind(upgradeCalls.estimate, estimateUpgrade),
  bind(upgradeCalls.rollbackEstimate, estimateRollback),
  bind(campaignCalls.list, listCampaigns),
  bind(campaignCalls.read, readCampaign),
  bind(campaignCalls.devices, listCampaignDevices),
  bind(campaignCalls.stop, stopCampaign),
  bind(campaignCalls.resume, resumeCampaign),
  bind(campaignCalls.end, endCampaign),
];
