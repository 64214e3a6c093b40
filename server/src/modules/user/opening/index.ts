import { demoCall, importCall } from '@farlink/contract/user/import-user.ts';
import { openingCalls } from '@farlink/contract/user/opening.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { tempCardCalls } from '@farlink/contract/user/user-temp.ts';
import { bind, bindAll } from '../../../kit/http/serve.ts';
import { importUsers } from './import-users.ts';
import { cancelOpening, downloadReport, listOpenings, readOpening } from './openings.ts';
import { importTemplate } from './template.ts';
import { configOptions, listConfigs, readConfig, updateConfig } from './user-account.ts';
import { listCards, makeCards, quoteCards } from './user-temp.ts';

export const openingBindings = [
  ...bindAll(openConfigCalls, { list: listConfigs, option: configOptions, read: readConfig, update: updateConfig }),
  bind(importCall, importUsers),
  bind(demoCall, importTemplate),
  ...bindAll(openingCalls, { list: listOpenings, read: readOpening, report: downloadReport, cancel: cancelOpening }),
  ...bindAll(tempCardCalls, { list: listCards, create: makeCards, quote: quoteCards }),
];
