import type { ApplyView } from '@farlink/contract/config/apply.ts';
import type { WaitReason } from '@farlink/contract/device/shadow.ts';
import { type ApplyState, applyState } from '@farlink/contract/protocol/apply.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { type Authorization, authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { operatorVno } from '../../kit/list/operator-name.ts';
import { bundleWait } from '../../orders/bundle-wait.ts';

export interface DeliveryTarget {
  readonly online_state: 0 | 1;
  readonly network: Network;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
}

/** Reason why sections of this size have not been delivered yet, by the same rules that send them. */
export const waitOfBundle = (to: DeliveryTarget, bytes: number, sections: number, now: number): WaitReason => {
  if (to.online_state === 0) return 'offline';
  if (!mayReceive(authorizationAt(to.auth_status, to.auth_expire_at, now))) return 'authorization';
  return bundleWait(to.network, bytes, sections) ?? 'sending';
};

interface ApplyRow extends Omit<ApplyView, 'waits' | 'state' | 'left'> {
  readonly state: ApplyState;
  readonly bytes: number;
}

export const applyColumns = [
  'id',
  'state',
  'err',
  'keep',
  'pages',
  'bytes',
  'note',
  'create_at',
  'sent_at',
  'trial_at',
  'finish_at',
] as const;

/** VNO of the operator of an apply. */
export const applyOperator = operatorVno('config_apply.operator_agent_id', 'config_apply.uid');

export const applyView = ({ bytes, ...row }: ApplyRow, to: DeliveryTarget, now: number): ApplyView => ({
  ...row,
  waits: row.state === applyState.ids.waiting ? waitOfBundle(to, bytes, row.pages.length, now) : null,
  left: row.state === applyState.ids.trial && row.trial_at !== null ? Math.max(0, row.trial_at + row.keep - now) : null,
});
