import { aaaUserCalls } from '@farlink/contract/user/aaa-user.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { listAaaLog, listAaaOnline, listNasOnline } from './aaa-user.ts';
import { kickUsers, moveUsers, resetPasswords, setPolicies, setRenewal } from './actions.ts';
import { addUsers } from './add.ts';
import { exportSelected, exportUsers, listUserExports } from './export-users.ts';
import { extendUsers } from './extend-users.ts';
import { forbidUsers } from './forbid-users.ts';
import { listOnline, listUsers, userOptions } from './list-users.ts';
import { openingTerms } from './opening/opening-terms.ts';
import { readPhoto } from './photo.ts';
import { quoteRemoval } from './quote-removal.ts';
import { readUser } from './read-user.ts';
import { removeUsers } from './remove-users.ts';
import { revealField } from './reveal.ts';
import { reserveShutdown, withdrawShutdown } from './shutdown-users.ts';
import { updateUser } from './update-user.ts';
import { listRejections, listService, listUsedCards, listUserLog } from './user-history.ts';
import { readPolicy, readServiceStatus } from './user-service-status.ts';

export const userBindings = [
  ...bindAll(addCalls, { add: addUsers, terms: openingTerms }),
  ...bindAll(calls, {
    list: listUsers,
    read: readUser,
    update: updateUser,
    forbid: forbidUsers,
    extend: extendUsers,
    shutdown: reserveShutdown,
    reopen: withdrawShutdown,
    passwd: resetPasswords,
    device: moveUsers,
    policy: setPolicies,
    renewal: setRenewal,
    kick: kickUsers,
    remove: removeUsers,
    removal: quoteRemoval,
    option: userOptions,
    online: listOnline,
    rejections: listRejections,
    exportSelected,
    exportAll: exportUsers,
    exports: listUserExports,
    reveal: revealField,
    photo: readPhoto,
  }),
  ...bindAll(aaaUserCalls, { online: listAaaOnline, ofNas: listNasOnline, log: listAaaLog }),
  ...bindAll(userDetailCalls, {
    serviceStatus: readServiceStatus,
    service: listService,
    policy: readPolicy,
    cards: listUsedCards,
    log: listUserLog,
  }),
];
