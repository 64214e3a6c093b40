import { queueAt, serviceAt } from './service-at.ts';
import { statusOf } from './status.ts';
import type { MeterState, PackageStatus, Service } from './types.ts';

/** Best first: the status shown when a subscriber has several online packages. */
export const bestFirst: readonly PackageStatus[] = ['normal', 'to_be_used', 'exhausted', 'not_active', 'expired'];

export interface StatusAt {
  /** Status of the best online package, or normal while an extra package serves. Null when the subscriber holds no online package. */
  readonly package_status: PackageStatus | null;
  readonly holdings: readonly { readonly id: number; readonly status: PackageStatus }[];
  /** Usable holdings: the one in use first, then the next ones. */
  readonly queue: readonly number[];
  readonly service: Service;
}

export const statusAt = (state: MeterState, now: number): StatusAt => {
  const online = state.holdings.filter(({ kind }) => kind === 'online').map((holding) => statusOf(holding, now));
  const queue = queueAt(state, now);
  return {
    package_status: queue[0]?.kind === 'extra' ? 'normal' : (bestFirst.find((status) => online.includes(status)) ?? null),
    holdings: state.holdings.map((holding) => ({ id: holding.id, status: statusOf(holding, now) })),
    queue: queue.map(({ id }) => id),
    service: serviceAt(state, now),
  };
};
