import { deviceAccountCalls } from '@farlink/contract/device/device-account.ts';
import { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { loadCalls } from '@farlink/contract/device/load.ts';
import { onlineUserCalls } from '@farlink/contract/device/online-user.ts';
import { videoCalls } from '@farlink/contract/device/video.ts';
import { bind } from '../../../kit/http/serve.ts';
import { listAccounts } from './accounts.ts';
import { listCommands, listDeviceLog, listHistory } from './history.ts';
import { readInterval, readLoad, setInterval } from './load.ts';
import { readNow, readTrack } from './now.ts';
import { kickOnlineUsers, listOnlineUsers } from './online-users.ts';
import { readDevice } from './read-device.ts';
import { readVideo, setVideo } from './video.ts';

export const deviceDetailBindings = [
  bind(calls.read, readDevice),
  bind(calls.now, readNow),
  bind(calls.track, readTrack),
  bind(calls.history, listHistory),
  bind(calls.commands, listCommands),
  bind(calls.log, listDeviceLog),
  bind(loadCalls.series, readLoad),
  bind(loadCalls.interval, readInterval),
  bind(loadCalls.setInterval, setInterval),
  bind(videoCalls.read, readVideo),
  bind(videoCalls.set, setVideo),
  bind(onlineUserCalls.list, listOnlineUsers),
  bind(onlineUserCalls.kick, kickOnlineUsers),
  bind(deviceAccountCalls.list, listAccounts),
];
