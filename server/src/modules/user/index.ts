import { addCalls } from '@farlink/contract/user/add.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { bind } from '../../kit/http/serve.ts';
import { kickUsers, moveUsers, resetPasswords, setPolicies } from './actions.ts';
import { addUsers } from './add.ts';
import { exportSelected, exportUsers, listUserExports } from './export-users.ts';
import { extendUsers } from './extend-users.ts';
import { forbidUsers } from './forbid-users.ts';
import { listOnline, listUsers, userOptions } from './list-users.ts';
import { readPhoto } from './photo.ts';
import { readUser } from './read-user.ts';
import { removeUsers } from './remove-users.ts';
import { revealField } from './reveal.ts';
import { reserveShutdown, withdrawShutdown } from './shutdown-users.ts';
import { updateUser } from './update-user.ts';
import { listRejections, listUsedCards, listUserLog } from './user-history.ts';
import { readPolicy, readServiceStatus } from './user-service-status.ts';

export const userBindings = [
  bind(addCalls.add, addUsers),
  bind(calls.list, listUsers),
  bind(calls.read, readUser),
  bind(calls.update, updateUser),
  bind(calls.forbid, forbidUsers),
  bind(calls.extend, extendUsers),
  bind(calls.shutdown, reserveShutdown),
  bind(calls.reopen, withdrawShutdown),
  bind(calls.passwd, resetPasswords),
  bind(calls.device, moveUsers),
  bind(calls.policy, setPolicies),
  bind(calls.kick, kickUsers),
  bind(calls.remove, removeUsers),
  bind(calls.option, userOptions),
  bind(calls.online, listOnline),
  bind(calls.rejections, listRejections),
  bind(calls.exportPart, exportSelected),
  bind(calls.exportAll, exportUsers),
  bind(calls.exports, listUserExports),
  bind(calls.reveal, revealField),
  bind(calls.photo, readPhoto),
  bind(userDetailCalls.serviceStatus, readServiceStatus),
  bind(userDetailCalls.policy, readPolicy),
  bind(userDetailCalls.cards, listUsedCards),
  bind(userDetailCalls.log, listUserLog),
];
