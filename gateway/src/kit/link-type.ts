import { singleText } from '../../../contract/src/kit/values.ts';
import type { Network } from '../../../contract/src/protocol/network.ts';

/** Link types of WAN rows, and the networks of the console. */
const networks: Readonly<Record<string, Network>> = { '6d': '6d', lband: 'l_band', lte: 'lte', leo: 'low_orbit' };

/** Shore links have no network code in the console. */
export const networkOfType = (linkType: unknown): Network => networks[singleText(linkType) ?? ''] ?? 'unknown';

export const typeOfNetwork = (network: string): string => Object.keys(networks).find((type) => networks[type] === network) ?? 'shore';
