import { deviceAccountCalls } from '@farlink/contract/device/device-account.ts';
import { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { loadCalls } from '@farlink/contract/device/load.ts';
import { onlineUserCalls } from '@farlink/contract/device/online-user.ts';
import { videoCalls } from '@farlink/contract/device/video.ts';
import { bind, bindAll } from '../../../kit/http/serve.ts';
import { readAccounts, resendAccounts } from './account-sync.ts';
import { listAccounts } from './accounts.ts';
import { listCommands, listDeviceLog, listHistory } from './history.ts';
import { readInterval, readLoad, setInterval } from './load.ts';
import { readNow, readTrack } from './now.ts';
import { kickOnlineUsers, listOnlineUsers } from './online-users.ts';
import { readDevice } from './read-device.ts';
import { readTrafficCheck } from './traffic-check.ts';
import { readVideo, setVideo } from './video.ts';

export const deviceDetailBindings = [
  ...bindAll(calls, {
    read: readDevice,
    now: readNow,
    track: readTrack,
    accounts: readAccounts,
    resendAccounts,
    trafficCheck: readTrafficCheck,
    history: listHistory,
    commands: listCommands,
    log: listDeviceLog,
  }),
  ...bindAll(loadCalls, { series: readLoad, interval: readInterval, setInterval }),
  ...bindAll(videoCalls, { read: readVideo, set: setVideo }),
  ...bindAll(onlineUserCalls, { list: listOnlineUsers, kick: kickOnlineUsers }),
  bind(deviceAccountCalls.list, listAccounts),
];
