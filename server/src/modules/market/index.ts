import { brandCalls } from '@farlink/contract/market/brand.ts';
import { domainCalls } from '@farlink/contract/market/domain.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { readBrand } from './brand.ts';
import { checkDomain, listDomains, updateDomain } from './domain.ts';
import { readInfo, removeAgentLogo, removeDeviceLogo, saveInfo, uploadAgentLogo, uploadDeviceLogo } from './info-setup.ts';

export const marketBindings = [
  ...bindAll(infoCalls, {
    read: readInfo,
    save: saveInfo,
    agentLogo: uploadAgentLogo,
    deviceLogo: uploadDeviceLogo,
    removeAgentLogo,
    removeDeviceLogo,
  }),
  ...bindAll(domainCalls, { list: listDomains, update: updateDomain, check: checkDomain }),
  ...bindAll(brandCalls, { read: readBrand }),
];
