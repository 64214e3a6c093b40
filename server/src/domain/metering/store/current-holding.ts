import { statusOf } from '../engine/status.ts';
import { bestFirst, statusAt } from '../engine/status-at.ts';
import type { Holding, MeterState, PackageStatus } from '../engine/types.ts';

export interface Current {
  /** Status of the account: normal while an extra package serves. Null if it has no online package. */
  readonly status: PackageStatus | null;
  readonly holding: Holding | undefined;
}

/** Online package shown for an account: the one in use or next in use, else the best of the others. */
export const currentHolding = (state: MeterState, now: number): Current => {
  const { package_status, queue } = statusAt(state, now);
  const online = state.holdings.filter((h) => h.kind === 'online');
  const rank = (holding: Holding) => bestFirst.indexOf(statusOf(holding, now));
  const best = online.toSorted((a, b) => rank(a) - rank(b))[0];
  return { status: package_status, holding: online.find(({ id }) => id === queue[0]) ?? best };
};
