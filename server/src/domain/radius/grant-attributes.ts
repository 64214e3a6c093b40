import type { NasVendor } from '@farlink/contract/advanced/nas.ts';
import type { Attribute } from '@farlink/gateway/radius/packet.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import { vendorProfiles } from './vendor-profiles.ts';

/** Speeds in KB/s, 0 is unlimited; null bytes are no limit. */
export interface Limits {
  readonly up: number;
  readonly down: number;
  readonly bytes: number | null;
}

const uint32Range = 2 ** 32;
const maxUint32 = uint32Range - 1;

/** 1 KB/s is 8,192 bit/s. */
const bitsPerKilobyte = 8192;
/** No line of a user is faster, so a NAS that is sent this rate does not limit. */
const unlimitedBits = 4_000_000_000;
/** 1 PiB: no session reaches it. */
const unlimitedBytes = 2 ** 50;

const bitsOf = (kilobytes: number) => (kilobytes === 0 ? unlimitedBits : Math.min(unlimitedBits, kilobytes * bitsPerKilobyte));

const rateAttributes = (vendor: NasVendor, { up, down }: Limits): Attribute[] => {
  const { ratePairs, rateText } = vendorProfiles[vendor];
  return [
    ...ratePairs.flatMap((pair) => [
      attribute(pair.up, Math.round(bitsOf(up) / pair.bits)),
      attribute(pair.down, Math.round(bitsOf(down) / pair.bits)),
    ]),
    // Plain bit/s: with the suffix k, a thousand bits, the rate would be 2.4 percent lower than with other makers.
    ...(rateText ? [attribute(rateText, `${bitsOf(up)}/${bitsOf(down)}`)] : []),
  ];
};

const byteAttributes = (vendor: NasVendor, bytes: number): Attribute[] => {
  const { byteLimit } = vendorProfiles[vendor];
  if (!byteLimit) return [];
  return [attribute(byteLimit.low, bytes % uint32Range), attribute(byteLimit.high, Math.min(maxUint32, Math.floor(bytes / uint32Range)))];
};

/** Limits of a login in the form that the NAS understands. What is unlimited is left to the profile of the NAS. */
export const grantAttributes = (vendor: NasVendor, limits: Limits): Attribute[] => [
  ...(limits.up + limits.down > 0 ? rateAttributes(vendor, limits) : []),
  ...(limits.bytes === null ? [] : byteAttributes(vendor, limits.bytes)),
];

/** RFC 5176: an attribute that is missing in a CoA-Request stays as it is, so a limit is lifted by a value that is never reached. */
export const changeAttributes = (vendor: NasVendor, limits: Limits): Attribute[] => [
  ...rateAttributes(vendor, limits),
  ...byteAttributes(vendor, limits.bytes ?? unlimitedBytes),
];
