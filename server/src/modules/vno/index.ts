import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { bind } from '../../kit/http/serve.ts';
import { createVno } from './create-vno.ts';
import { setDevicePassword } from './device-password.ts';
import { enterVno } from './enter-vno.ts';
import { issueLicense } from './issue-license.ts';
import { listVnos, readVno, vnoOptions, vnoTopology } from './read-vno.ts';
import { removeVno } from './remove-vno.ts';
import { updateVno } from './update-vno.ts';
import { createVnoAccount, listVnoAccounts, removeVnoAccount, updateVnoAccount, vnoAccountTopology } from './vno-account.ts';
import { createPrefix, listPrefixes, prefixOptions, removePrefix } from './vno-prefix.ts';

export const vnoBindings = [
  bind(vnoCalls.list, listVnos),
  bind(vnoCalls.create, createVno),
  bind(vnoCalls.read, readVno),
  bind(vnoCalls.update, updateVno),
  bind(vnoCalls.remove, removeVno),
  bind(vnoCalls.login, enterVno),
  bind(vnoCalls.devicePwd, setDevicePassword),
  bind(vnoCalls.authorize, issueLicense),
  bind(vnoCalls.option, vnoOptions),
  bind(vnoCalls.topology, vnoTopology),
  bind(vnoAccountCalls.list, listVnoAccounts),
  bind(vnoAccountCalls.create, createVnoAccount),
  bind(vnoAccountCalls.update, updateVnoAccount),
  bind(vnoAccountCalls.remove, removeVnoAccount),
  bind(vnoAccountCalls.topology, vnoAccountTopology),
  bind(prefixCalls.list, listPrefixes),
  bind(prefixCalls.create, createPrefix),
  bind(prefixCalls.remove, removePrefix),
  bind(prefixCalls.option, prefixOptions),
];
