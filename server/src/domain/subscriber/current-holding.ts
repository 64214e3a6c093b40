import { statusAt } from '../metering/status-at.ts';
import type { Holding, MeterState, PackageStatus } from '../metering/types.ts';

export interface Current {
  /** Null if the account has no online package. */
  readonly status: PackageStatus | null;
  readonly holding: Holding | undefined;
}

/** Online package shown for an account: the one in use or next in use, else the best of the others. */
export const currentHolding = (state: MeterState, now: number): Current => {
  const { package_status, holdings, queue } = statusAt(state, now);
  const online = state.holdings.filter((h) => h.kind === 'online');
  const holding =
    online.find((h) => h.id === queue[0]) ?? online.find((h) => holdings.some((s) => s.id === h.id && s.status === package_status));
  return { status: package_status, holding };
};
