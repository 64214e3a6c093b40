import type { Text } from '@farlink/contract/kit/text.ts';
import { type NoGateway, noGateway } from '@farlink/contract/user/choices.ts';

interface Gateway {
  readonly billing_mode: number;
  readonly caps: readonly string[];
  /** First connection; null: never. */
  readonly access_at: number | null;
}

/** Billing modes in which a gateway authenticates users by itself. */
const withAccounts: readonly number[] = [1, 3];

/** Reason why a gateway cannot store accounts. Null: it can. */
export const noAccountsOn = ({ billing_mode, caps, access_at }: Gateway): NoGateway | null => {
  if (access_at === null) return 'never_seen';
  if (billing_mode === 2) return 'aaa';
  if (!withAccounts.includes(billing_mode)) return 'abnormal';
  return caps.includes('accounts') ? null : 'too_old';
};

/** The most useful reason of several gateways: the one that an operator can change first. */
const order: readonly NoGateway[] = ['queued', 'never_seen', 'too_old', 'abnormal', 'aaa'];

export const noAccountsOnAny = (gateways: readonly Gateway[]): NoGateway => {
  const reasons = gateways.map((gateway) => noAccountsOn(gateway) ?? 'queued');
  return order.find((reason) => reasons.includes(reason)) ?? 'unbound';
};

export const noGatewayText = (reason: NoGateway): Text => noGateway.find(({ id }) => id === reason)?.label ?? [reason, reason];
