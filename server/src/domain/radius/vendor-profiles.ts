import type { NasVendor } from '@farlink/contract/advanced/nas.ts';
import type { AttributeName } from '@farlink/gateway/radius/attributes.ts';

/** Two attributes with the rates of a user, in units of so many bit/s. */
interface RatePair {
  readonly up: AttributeName;
  readonly down: AttributeName;
  readonly bits: 1 | 1000;
}

interface VendorProfile {
  readonly ratePairs: readonly RatePair[];
  /** One attribute with both rates as text, in bit/s: upload, then download. */
  readonly rateText?: AttributeName;
  /** Limit of both directions of a session, as two words of 32 bits. Undefined: the maker has none. */
  readonly byteLimit?: { readonly low: AttributeName; readonly high: AttributeName };
}

const wispr: RatePair = { up: 'WISPr-Bandwidth-Max-Up', down: 'WISPr-Bandwidth-Max-Down', bits: 1 };

/** How each maker takes rates and byte limits. */
export const vendorProfiles: Readonly<Record<NasVendor, VendorProfile>> = {
  standard: { ratePairs: [wispr] },
  mikrotik: {
    ratePairs: [],
    // "rx/tx" as seen by the router: what it receives is the upload of the user.
    rateText: 'Mikrotik-Rate-Limit',
    byteLimit: { low: 'Mikrotik-Total-Limit', high: 'Mikrotik-Total-Limit-Gigawords' },
  },
  chillispot: {
    ratePairs: [wispr, { up: 'ChilliSpot-Bandwidth-Max-Up', down: 'ChilliSpot-Bandwidth-Max-Down', bits: 1000 }],
    byteLimit: { low: 'ChilliSpot-Max-Total-Octets', high: 'ChilliSpot-Max-Total-Gigawords' },
  },
  cisco: {
    ratePairs: [
      {
        up: 'Airespace-Data-Bandwidth-Average-Contract-Upstream',
        down: 'Airespace-Data-Bandwidth-Average-Contract',
        bits: 1000,
      },
    ],
  },
  huawei: { ratePairs: [{ up: 'Huawei-Input-Average-Rate', down: 'Huawei-Output-Average-Rate', bits: 1 }] },
  aruba: { ratePairs: [wispr, { up: 'HP-Bandwidth-Max-Ingress', down: 'HP-Bandwidth-Max-Egress', bits: 1000 }] },
  ruckus: { ratePairs: [wispr] },
};

export const hasByteLimit = (vendor: NasVendor) => vendorProfiles[vendor].byteLimit !== undefined;
