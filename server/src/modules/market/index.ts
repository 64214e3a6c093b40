import { domainCalls } from '@farlink/contract/market/domain.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { checkDomain, listDomains, updateDomain } from './domain.ts';

export const marketBindings = [...bindAll(domainCalls, { list: listDomains, update: updateDomain, check: checkDomain })];
