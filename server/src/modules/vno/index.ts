import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { bindAll } from '../../kit/http/serve.ts';
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
  ...bindAll(vnoCalls, {
    list: listVnos,
    create: createVno,
    read: readVno,
    update: updateVno,
    remove: removeVno,
    login: enterVno,
    devicePwd: setDevicePassword,
    authorize: issueLicense,
    option: vnoOptions,
    topology: vnoTopology,
  }),
  ...bindAll(vnoAccountCalls, {
    list: listVnoAccounts,
    create: createVnoAccount,
    update: updateVnoAccount,
    remove: removeVnoAccount,
    topology: vnoAccountTopology,
  }),
  ...bindAll(prefixCalls, { list: listPrefixes, create: createPrefix, remove: removePrefix, option: prefixOptions }),
];
