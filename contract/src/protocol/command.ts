import { machine } from '../kit/machine.ts';

/** States of a command to a gateway, on the wire, in `device_command.state` and in lists. */
export const commandState = machine(
  {
    queued: { id: 0, label: ['待下发', 'Queued'], color: 'gold' },
    acked: { id: 1, label: ['已接收', 'Acknowledged'], color: 'blue' },
    running: { id: 2, label: ['执行中', 'Running'], color: 'processing' },
    done: { id: 3, label: ['已完成', 'Done'], color: 'green' },
    failed: { id: 4, label: ['失败', 'Failed'], color: 'red' },
    expired: { id: 5, label: ['已超时', 'Expired'], color: 'orange' },
    cancelled: { id: 6, label: ['已取消', 'Cancelled'], color: 'default' },
  },
  {
    ack: { from: ['queued'], to: 'acked' },
    run: { from: ['queued', 'acked', 'running'], to: 'running' },
    done: { from: ['queued', 'acked', 'running'], to: 'done' },
    fail: { from: ['queued', 'acked', 'running'], to: 'failed' },
    expire: { from: ['queued', 'acked', 'running'], to: 'expired' },
    cancel: { from: ['queued'], to: 'cancelled' },
  },
);

export type CommandState = (typeof commandState.ids)[keyof typeof commandState.ids];

/** The command has ended: done, failed, expired or cancelled. */
export const isEnded = (state: number) => state >= commandState.ids.done;
