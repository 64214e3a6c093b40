import { calls, shape } from '../kit/endpoint.ts';
import { document } from '../kit/field.ts';
import { configAccess } from './config.ts';
import { device_id, pageOfGateway } from './page-field.ts';

/** A session of remote access; its URL is a page of the console. */
export interface TerminalGrant {
  readonly id: number;
  readonly url: string;
  readonly token: string;
  readonly expire_at: number;
}

export const terminalCalls = calls('device', configAccess, {
  open: {
    kind: 'command',
    path: 'device/config/terminal',
    summary: ['打开网关终端', 'Open a terminal of a gateway'],
    input: {
      device_id,
      page: pageOfGateway,
      values: document(['参数', 'Values'], { required: true }),
    },
    shape: shape<TerminalGrant>(),
  },
});
