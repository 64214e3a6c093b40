import { transferCalls as calls } from '@farlink/contract/device/transfer.ts';
import { bind } from '../../../kit/http/serve.ts';
import { clearTransfer } from './clear-transfer.ts';
import { listTransfers } from './list-transfers.ts';
import { previewTransfer } from './preview-transfer.ts';
import { transferDevices } from './transfer-devices.ts';

export const transferBindings = [
  bind(calls.give, transferDevices),
  bind(calls.clear, clearTransfer),
  bind(calls.preview, previewTransfer),
  bind(calls.list, listTransfers),
];
