import { demoCall, importCall } from '@farlink/contract/user/import-user.ts';
import { openingCalls } from '@farlink/contract/user/opening.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { tempCardCalls } from '@farlink/contract/user/user-temp.ts';
import { bind } from '../../../kit/http/serve.ts';
import { importUsers } from './import-users.ts';
import { cancelOpening, downloadReport, listOpenings, readOpening } from './openings.ts';
import { importTemplate } from './template.ts';
import { configOptions, listConfigs, readConfig, updateConfig } from './user-account.ts';
import { listCards, makeCards, quoteCards } from './user-temp.ts';

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
