import type { Network } from '../protocol/link.ts';

/** What a WAN row calls a kind of link, and what the console calls the network that a gateway is on by it. */
const networks: Readonly<Record<string, Network>> = { '6d': '6d', lband: 'l_band', lte: 'lte', leo: 'low_orbit' };

/** Shore wiring is none that the console knows. */
export const networkOfType = (linkType: unknown): Network => networks[String(linkType)] ?? 'unknown';

export const typeOfNetwork = (network: string): string => Object.keys(networks).find((type) => networks[type] === network) ?? 'shore';
