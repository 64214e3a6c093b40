import { subnetOf } from '../../../kit/address.ts';
import type { Json, JsonObject } from '../../../protocol/shape.ts';

const dotted = (n: number) => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.');

/** The larger part of the subnet beside the gateway address, without its first addresses and the last one. */
export const poolIn = (ipaddr: Json | undefined): JsonObject => {
  const subnet = subnetOf(String(ipaddr));
  if (!subnet || subnet.last - subnet.first < 15) return {};
  const { address, first, last } = subnet;
  const start = first + Math.min(50, Math.floor((last - first) / 4));
  const below = address - start;
  const above = last - 1 - address;
  if (below < 0) return { start: dotted(start), end: dotted(last - 1) };
  return below > above ? { start: dotted(start), end: dotted(address - 1) } : { start: dotted(address + 1), end: dotted(last - 1) };
};
