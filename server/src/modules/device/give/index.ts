import { giveCalls as calls } from '@farlink/contract/device/give.ts';
import { bind } from '../../../kit/serve.ts';
import { clearGive } from './clear-give.ts';
import { giveDevices } from './give-devices.ts';
import { listTransfers } from './list-transfers.ts';
import { previewTransfer } from './preview-transfer.ts';

export const giveBindings = [
  bind(calls.give, giveDevices),
  bind(calls.clear, clearGive),
  bind(calls.preview, previewTransfer),
  bind(calls.list, listTransfers),
];
