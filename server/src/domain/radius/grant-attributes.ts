import type { Attribute } from '@farlink/gateway/radius/packet.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';

export type Vendor = 'standard' | 'mikrotik' | 'chillispot';

interface Limits {
  readonly up: number;
  readonly down: number;
  readonly bytes: number | null;
}

const uint32Range = 2 ** 32;
const maxUint32 = uint32Range - 1;

/** 1 KB/s is 8,192 bit/s. */
const bitsPerSecond = (kilobytes: number) => Math.min(maxUint32, kilobytes * 8192);

const mikrotikRate = (kilobytes: number) => (kilobytes === 0 ? '0' : `${kilobytes * 8}k`);

const speedAttributes = (vendor: Vendor, { up, down }: Limits): Attribute[] => {
  const wispr = [
    ...(up > 0 ? [attribute('WISPr-Bandwidth-Max-Up', bitsPerSecond(up))] : []),
    ...(down > 0 ? [attribute('WISPr-Bandwidth-Max-Down', bitsPerSecond(down))] : []),
  ];
  // MikroTik reads "rx/tx" as seen by itself: what it receives is the upload of the user.
  if (vendor === 'mikrotik') return up + down > 0 ? [attribute('Mikrotik-Rate-Limit', `${mikrotikRate(up)}/${mikrotikRate(down)}`)] : [];
  if (vendor === 'standard') return wispr;
  return [
    ...wispr,
    ...(up > 0 ? [attribute('ChilliSpot-Bandwidth-Max-Up', Math.min(maxUint32, up * 8))] : []),
    ...(down > 0 ? [attribute('ChilliSpot-Bandwidth-Max-Down', Math.min(maxUint32, down * 8))] : []),
  ];
};

const quotaAttributes = (vendor: Vendor, bytes: number | null): Attribute[] => {
  if (bytes === null || vendor === 'standard') return [];
  const low = bytes % uint32Range;
  const high = Math.min(maxUint32, Math.floor(bytes / uint32Range));
  const [limit, gigawords] =
    vendor === 'mikrotik'
      ? (['Mikrotik-Total-Limit', 'Mikrotik-Total-Limit-Gigawords'] as const)
      : (['ChilliSpot-Max-Total-Octets', 'ChilliSpot-Max-Total-Gigawords'] as const);
  return [attribute(limit, low), ...(high > 0 ? [attribute(gigawords, high)] : [])];
};

/** Speeds and quota in the form that the NAS understands. There is no standard attribute for a quota. */
export const grantAttributes = (vendor: Vendor, limits: Limits): Attribute[] => [
  ...speedAttributes(vendor, limits),
  ...quotaAttributes(vendor, limits.bytes),
];
