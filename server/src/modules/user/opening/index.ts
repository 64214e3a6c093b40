import { demoCall, importCall } from '@farlink/contract/user/import-user.ts';
import { openConfigCalls } from '@farlink/contract/user/open-config.ts';
import { openingCalls } from '@farlink/contract/user/opening.ts';
import { tempCardCalls } from '@farlink/contract/user/temp-card.ts';
import { bind } from '../../../kit/serve.ts';
import { importUsers } from './import-users.ts';
import { configOptions, listConfigs, readConfig, updateConfig } from './open-config.ts';
import { cancelOpening, downloadReport, listOpenings, readOpening } from './openings.ts';
import { listCards, makeCards, quoteCards } from './temp-card.ts';
import { importTemplate } from './template.ts';

export const openingBindings = [
  bind(openConfigCalls.list, listConfigs),
  bind(openConfigCalls.option, configOptions),
  bind(openConfigCalls.read, readConfig),
  bind(openConfigCalls.update, updateConfig),
  bind(importCall, importUsers),
  bind(demoCall, importTemplate),
  bind(openingCalls.list, listOpenings),
  bind(openingCalls.read, readOpening),
  bind(openingCalls.report, downloadReport),
  bind(openingCalls.cancel, cancelOpening),
  bind(tempCardCalls.list, listCards),
  bind(tempCardCalls.create, makeCards),
  bind(tempCardCalls.quote, quoteCards),
];
