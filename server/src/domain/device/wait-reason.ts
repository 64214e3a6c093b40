import type { WaitReason } from '@farlink/contract/device/shadow.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { type Authorization, authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { linkWait } from '@farlink/gateway/protocol/command.ts';

export interface Addressee {
  readonly online_state: 0 | 1;
  readonly network: Network;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
}

/** Reason why a message of this size has not been delivered yet, by the same rules that send it. */
export const waitOf = (to: Addressee, bytes: number, now: number, op?: string, args?: Readonly<Record<string, unknown>>): WaitReason => {
  if (to.online_state === 0) return 'offline';
  if (!mayReceive(authorizationAt(to.auth_status, to.auth_expire_at, now))) return 'authorization';
  return linkWait(to.network, bytes, op, args) ?? 'sending';
};

export const bytesOf = (doc: unknown) => Buffer.byteLength(JSON.stringify(doc));
