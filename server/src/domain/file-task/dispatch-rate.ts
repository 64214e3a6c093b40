import type { Network } from '@farlink/contract/protocol/network.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';

interface DispatchRate {
  /** Usual download rate in bytes per second. */
  readonly rate: number;
  /** Concurrent downloads on links of this class, because they share a beam or a cell. */
  readonly slots: number;
}

/** Limit of concurrent downloads over all link classes. */
export const slotsInAll = 40;

export const dispatchRates: Readonly<Record<Network, DispatchRate>> = {
  '6d': { rate: 500_000, slots: 10 },
  lte: { rate: 1_500_000, slots: 20 },
  low_orbit: { rate: 3_000_000, slots: 20 },
  unknown: { rate: 250_000, slots: 5 },
  l_band: { rate: 15_000, slots: 0 },
};

export const mayLoad = (network: Network) => linkClasses[network].allowsHeavy;

/** Link classes without large downloads, for SQL. */
export const lightNetworks = Object.entries(linkClasses).flatMap(([name, { allowsHeavy: heavy }]) => (heavy ? [] : [name]));

const day = 86_400;

/** Time after which a download counts as lost. It is long, because a ship may be offline for a night. */
export const downloadTimeoutS = (bytes: number, network: Network) =>
  day + Math.min(2 * day, Math.ceil((4 * bytes) / dispatchRates[network].rate));
