import { subnetOf } from '../../../kit/address.ts';
import type { Json, JsonObject } from '../../../protocol/shape.ts';

const dotted = (n: number) => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.');

/** The whole subnet except its first addresses, the gateway address and the last address. */
export const poolIn = (ipaddr: Json | undefined): JsonObject => {
  const subnet = subnetOf(String(ipaddr));
  if (!subnet || subnet.last - subnet.first < 15) return {};
  const size = subnet.last - subnet.first;
  const start = Math.max(subnet.address + 1, subnet.first + Math.min(50, Math.floor(size / 4)));
  return { start: dotted(start), end: dotted(subnet.last - 1) };
};
