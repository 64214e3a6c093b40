import { liveCalls as calls } from '@farlink/contract/device/live.ts';
import { bind } from '../../../kit/http/serve.ts';
import { openLive } from './live.ts';

export const liveBindings = [bind(calls.open, openLive)];
