import { queueAt, serviceAt } from './service-at.ts';
import { statusOf } from './status.ts';
import type { MeterState, PackageStatus, Service } from './types.ts';

/** Best first: the status shown when a subscriber has several online packages. */
const best: readonly PackageStatus[] = ['normal', 'to_be_used', 'exhausted', 'not_active', 'expired'];

export interface StatusAt {
  /** Null when the subscriber holds no online package. */
  readonly package_status: PackageStatus | null;
  readonly holdings: readonly { readonly id: number; readonly status: PackageStatus }[];
  /** Usable holdings: the one in use first, then the next ones. */
  readonly queue: readonly number[];
  readonly service: Service;
}

export const statusAt = (state: MeterState, now: number): StatusAt => {
  const online = state.holdings.filter(({ kind }) => kind === 'online').map((holding) => statusOf(holding, now));
  return {
    package_status: best.find((status) => online.includes(status)) ?? null,
    holdings: state.holdings.map((holding) => ({ id: holding.id, status: statusOf(holding, now) })),
    queue: queueAt(state, now).map(({ id }) => id),
    service: serviceAt(state, now),
  };
};
