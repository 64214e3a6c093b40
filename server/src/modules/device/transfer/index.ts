import { transferCalls as calls } from '@farlink/contract/device/transfer.ts';
import { bindAll } from '../../../kit/http/serve.ts';
import { clearTransfer } from './clear-transfer.ts';
import { listTransfers } from './list-transfers.ts';
import { previewTransfer } from './preview-transfer.ts';
import { transferDevices } from './transfer-devices.ts';

export const transferBindings = [
  ...bindAll(calls, { transfer: transferDevices, clear: clearTransfer, preview: previewTransfer, list: listTransfers }),
];
