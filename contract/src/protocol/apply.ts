import { machine } from '../kit/machine.ts';

/** States of an apply operation (`config_apply.state`): from the console to the echo of the gateway. */
export const applyState = machine(
  {
    waiting: { id: 0, label: ['等待网关', 'Waiting for the gateway'], color: 'gold' },
    sent: { id: 1, label: ['已下发', 'Sent'], color: 'processing' },
    trial: { id: 2, label: ['试运行', 'On trial'], color: 'processing' },
    applied: { id: 3, label: ['已生效', 'Applied'], color: 'green' },
    refused: { id: 4, label: ['网关拒绝', 'Refused'], color: 'red' },
    rolled_back: { id: 5, label: ['失联后已自动回退', 'Rolled back by the gateway'], color: 'red' },
    merged: { id: 6, label: ['并入后续下发', 'Joined a later one'], color: 'default' },
    withdrawn: { id: 7, label: ['已撤回', 'Withdrawn'], color: 'default' },
  },
  {},
);
export type ApplyState = (typeof applyState.ids)[keyof typeof applyState.ids];

/** Waiting, sent or on trial. */
export const isApplyOpen = (state: ApplyState) => state < applyState.ids.applied;
