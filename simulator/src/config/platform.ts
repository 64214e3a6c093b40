import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Sections } from '../sections.ts';

export const platform = 'advanced_cloud_platform';

/** A change of one of these fields is a new binding or requests a restore. */
const ties = ['host', 'port', 'merchant_code', 'device_key', 'restore_backup'];

export const isBinding = (was: JsonObject, now: JsonObject): boolean => ties.some((field) => was[field] !== now[field]);

/** Billing mode of the configuration, if set. */
export const billOf = (sections: Sections): 1 | 2 | 3 | undefined => {
  const mode = sections.get(platform)?.doc.billing_mode;
  return mode === 1 || mode === 2 || mode === 3 ? mode : undefined;
};

/** These sections hold the binding, so a restore that keeps the binding keeps them. */
export const isOfBinding = (section: string): boolean => section === platform || section === 'hidden_license';
