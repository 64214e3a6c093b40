import type { Network } from '@farlink/contract/protocol/network.ts';
import type { LinkWait } from '@farlink/gateway/protocol/command.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';

/** Bytes of JSON around each document, and around all of them. */
export const frame = { section: 80, set: 60 };

/** Reason why sections of this size, files included, wait for another link. On a link without a limit, large files are fetched. */
export const bundleWait = (network: Network, bytes: number, sections: number): LinkWait | undefined => {
  const { allowsHeavy, downBytes } = linkClasses[network];
  return !allowsHeavy && bytes + frame.set + frame.section * sections > downBytes ? 'link_size' : undefined;
};
