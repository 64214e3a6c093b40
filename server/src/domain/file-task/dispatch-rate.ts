import { linkClasses, type Network } from '@farlink/gateway/protocol/link.ts';

interface DispatchRate {
  /** What a download usually gets, in bytes a second. */
  readonly rate: number;
  /** Downloads at the same time on links of this class: they share a beam or a cell. */
  readonly slots: number;
}

/** Nothing heavy begins for all at once: of each class of link a few, and of all together no more than this. */
export const slotsInAll = 40;

export const dispatchRates: Readonly<Record<Network, DispatchRate>> = {
  '6d': { rate: 500_000, slots: 10 },
  lte: { rate: 1_500_000, slots: 20 },
  low_orbit: { rate: 3_000_000, slots: 20 },
  unknown: { rate: 250_000, slots: 5 },
  l_band: { rate: 15_000, slots: 0 },
};

export const mayLoad = (network: Network) => linkClasses[network].heavy;

/** Names of classes on which nothing heavy begins, for statements. */
export const lightNetworks = Object.entries(linkClasses).flatMap(([name, { heavy }]) => (heavy ? [] : [name]));

const day = 86_400;

/** How long a download may take before it counts as lost: long, because a ship may be away for a night. */
export const patienceS = (bytes: number, network: Network) => day + Math.min(2 * day, Math.ceil((4 * bytes) / dispatchRates[network].rate));
